/** Code in answers has the colours of the page's highlighter. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import * as esbuild from 'esbuild';
import { answers } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { askAndWait, button, leave, visit, widget } from '../support/reader.js';

const { resolve } = createRequire(import.meta.url);
const CODE = 'queues:\n  mail:\n    max_attempts: 5\n    backoff: exponential';

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => {
  site = await startSite();
  site.next(answers());
});
afterEach(() => leave(browser, site));

/** A page whose policy allows its libraries to write markup. */
const open = (query = '') => visit(browser, `${site.url}/guide/retries.html${query}`, { bypassCSP: true, permissions: ['clipboard-read', 'clipboard-write'] });

/** @param {Page} page */
async function addPrism(page) {
  for (const file of ['prismjs/prism.js', 'prismjs/components/prism-yaml.js']) await page.addScriptTag({ path: resolve(file) });
  await page.addStyleTag({ path: resolve('prismjs/themes/prism.css') });
}

/** @param {Page} page */
async function addHighlightJs(page) {
  const contents = "import hljs from 'highlight.js/lib/core'; import yaml from 'highlight.js/lib/languages/yaml';"
    + "hljs.registerLanguage('yaml', yaml); window.hljs = hljs;";
  const { outputFiles } = await esbuild.build({ stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, format: 'iife', write: false });
  await page.addScriptTag({ content: outputFiles[0].text });
  await page.addStyleTag({ content: readFileSync(resolve('highlight.js/styles/github.css'), 'utf8') });
}

/**
 * The colour of each of the words.
 * @param {Page} page
 * @param {string[]} words
 */
const coloursOf = (page, words) => widget(page, '.prose pre > code').evaluate((code, wanted) => wanted.map((word) => {
  const piece = [...code.querySelectorAll('span')].findLast((span) => span.textContent?.includes(word));
  return getComputedStyle(/** @type {Element} */ (piece)).color;
}), words);

/** @param {Page} page */
const coloured = (page) => widget(page, '.prose pre.coloured').waitFor();

for (const [library, add, key, ground] of /** @type {[string, typeof addPrism, string, string][]} */ ([
  ['Prism', addPrism, 'rgb(0, 113, 162)', 'rgb(245, 242, 240)'], // #07a has contrast 4.3 on this background, so it is darkened.
  ['highlight.js', addHighlightJs, 'rgb(0, 92, 197)', 'rgb(255, 255, 255)'],
])) {
  test(`of ${library}, with its background; the words stay the same`, async () => {
    const { page, complaints } = await open();
    await add(page);
    await askAndWait(page);
    await coloured(page);
    assert.equal(await widget(page, '.prose pre > code').textContent(), CODE);
    const [attribute, value] = await coloursOf(page, ['max_attempts', 'exponential']);
    assert.equal(attribute, key);
    assert.notEqual(value, attribute);
    assert.equal(await widget(page, '.prose pre').evaluate((pre) => getComputedStyle(pre).backgroundColor), ground);
    assert.equal(await page.locator('body pre[aria-hidden]').count(), 0, 'nothing is left on the page');
    assert.deepEqual(complaints, []);
  });
}

test("a site's own function has precedence, and is called again when the page changes its theme", async () => {
  const { page } = await open();
  await addPrism(page);
  await page.evaluate(() => Object.assign(/** @type {object} */ (document.querySelector('pincite-chat')), {
    /** @param {HTMLElement} code @param {string} language */
    highlight: async (code, language) => {
      const dark = document.documentElement.dataset.theme === 'dark';
      Object.assign(code.style, { backgroundColor: dark ? '#000' : '#fff', color: dark ? '#fff' : '#000' });
      const word = document.createElement('b');
      word.append('queues');
      word.style.color = language === 'yaml' && dark ? '#ff0' : '#00f';
      code.replaceChildren(word, (code.textContent ?? '').slice('queues'.length));
    },
  }));
  await askAndWait(page);
  await coloured(page);
  assert.deepEqual(await coloursOf(page, ['queues', 'mail']), ['rgb(0, 0, 255)', 'rgb(0, 0, 0)']);
  await page.evaluate(() => { document.documentElement.dataset.theme = 'dark'; });
  await widget(page, '.prose pre[style*="rgb(0, 0, 0)"]').waitFor();
  assert.deepEqual(await coloursOf(page, ['queues', 'mail']), ['rgb(255, 255, 0)', 'rgb(255, 255, 255)']);
});

for (const [what, highlight] of [
  ['fails', 'async () => { throw new Error(\'no grammar\'); }'],
  ['changes the words', '(code) => { code.textContent = \'1 \' + code.textContent; }'],
]) {
  test(`if the highlighter ${what}, the code stays plain`, async () => {
    const { page, complaints } = await open();
    await page.evaluate((body) => {
      const chat = /** @type {any} */ (document.querySelector('pincite-chat'));
      const made = (0, eval)(body);
      chat.highlight = async (/** @type {HTMLElement} */ code) => {
        try { await made(code); } finally { setTimeout(() => { document.documentElement.dataset.tried = 'yes'; }); }
      };
    }, highlight);
    await askAndWait(page);
    await page.waitForFunction(() => document.documentElement.dataset.tried);
    assert.equal(await widget(page, '.prose pre > code').innerHTML(), CODE);
    assert.equal(await page.locator('body pre[aria-hidden]').count(), 0);
    assert.deepEqual(complaints, []);
  });
}

test("code in an unknown language stays plain, on the background of the page's code", async () => {
  site.next(answers({ text: ['```klingon\nqapla\n```\n'] }));
  const { page, complaints } = await open();
  await addPrism(page);
  await askAndWait(page); // In yaml.
  await askAndWait(page, 'And in Klingon?');
  const code = widget(page, '.prose pre.coloured > code').last();
  await code.getByText('qapla', { exact: true }).waitFor();
  assert.equal(await code.locator('span').count(), 1);
  assert.deepEqual(complaints, []);
});

test('a copy has the words without the colours', async () => {
  const { page } = await open();
  await addPrism(page);
  await askAndWait(page);
  await coloured(page);
  await button(page, 'Copy answer').click();
  await widget(page, '[role=status]').getByText('Copied').waitFor({ state: 'attached' });
  const rich = await page.evaluate(async () => (await (await navigator.clipboard.read())[0].getType('text/html')).text());
  assert.match(rich, /max_attempts/u);
  assert.doesNotMatch(rich, /rgb\(/u);
});
