/** The settings of a site (texts, side, opener, consent), and its events. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { answers } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { answered, ask, askAndWait, button, getsFocus, leave, openChat, visit, widget } from '../support/reader.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ANALYTICS = readFileSync(new URL('../../../docs/analytics.md', import.meta.url), 'utf8');

/** @typedef {import('playwright-core').Page} Page */

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => {
  site = await startSite();
  for (let n = 0; n < 3; n += 1) site.next(answers());
});
afterEach(() => leave(browser, site));

/**
 * Open a page with a chat of these attributes.
 * @param {Record<string, string>} attributes
 * @param {{query?: string} & import('playwright-core').BrowserContextOptions} [options]
 */
async function open(attributes, { query = '', ...options } = {}) {
  const visited = await visit(browser, `${site.url}/guide/retries.html${query}`, options);
  await configure(visited.page, attributes);
  return visited;
}

/**
 * @param {Page} page
 * @param {Record<string, string>} attributes
 */
const configure = (page, attributes) => page.evaluate((wanted) => {
  const old = /** @type {Element} */ (document.querySelector('pincite-chat'));
  const chat = /** @type {Element} */ (old.cloneNode());
  for (const [name, value] of Object.entries(wanted)) chat.setAttribute(name, value);
  old.replaceWith(chat);
}, attributes);

/**
 * @param {Page} page
 * @param {string} selector
 */
async function sideOf(page, selector) {
  const { x, width } = /** @type {{x: number, width: number}} */ (await widget(page, selector).boundingBox());
  return x + width / 2 < 640 ? 'left' : 'right';
}

const asked = () => site.received.filter(({ path }) => path === '/api/chat').length;

test("a site's texts replace the widget's, on the launcher and in the chat", async () => {
  const { page, complaints } = await open({ strings: JSON.stringify({ launch: 'Ask AI', title: 'AI for {site}', send: 'Go' }), icon: 'M4 5h16v11H4z' });
  assert.equal(await widget(page, '.launcher').innerText(), 'Ask AI');
  assert.equal(await widget(page, '.launcher path').getAttribute('d'), 'M4 5h16v11H4z');
  await openChat(page);
  assert.equal(await widget(page, 'h2').innerText(), 'AI for Acme Docs');
  assert.equal(await button(page, 'Go').count(), 1);
  assert.deepEqual(complaints, []);
});

test('texts that are null count as none', async () => {
  const { page, complaints } = await open({ strings: 'null' });
  await openChat(page);
  assert.equal(await button(page, 'Send').count(), 1);
  assert.deepEqual(complaints, []);
});

test('invalid settings are reported in the console once, and the others are used', async () => {
  const { page, complaints } = await open({ strings: '{"lanch": "Ask", "send": 1, "stop": "Halt"}', position: 'top', 'consent-url': 'javascript:0' });
  const told = page.waitForEvent('console', (message) => message.text().includes('consent-url'));
  await openChat(page);
  await told;
  assert.deepEqual(complaints, [
    '<pincite-chat>: strings.lanch is not a text of strings.json, so it is ignored.',
    '<pincite-chat>: strings.send is not a text of strings.json, so it is ignored.',
    '<pincite-chat>: position="top" must be left or right, so it is ignored.',
    '<pincite-chat>: consent-url="javascript:0" is not a web address, so it is ignored.',
  ]);
  const other = await open({ strings: '{launch: 1' });
  const toldToo = other.page.waitForEvent('console');
  await openChat(other.page);
  await toldToo;
  assert.deepEqual(other.complaints, ['<pincite-chat>: strings is not valid JSON, so it is ignored.']);
});

for (const [query, position, side] of [['', '', 'right'], ['', 'left', 'left'], ['?lang=fa', '', 'left'], ['?lang=fa', 'right', 'right'], ['?lang=fa', 'left', 'left']]) {
  test(`launcher and chat are on the ${side}: position="${position}" ${query}`, async () => {
    const { page } = await open(position ? { position } : {}, { query });
    assert.equal(await sideOf(page, '.launcher'), side);
    await openChat(page);
    assert.equal(await sideOf(page, 'dialog'), side);
  });
}

test('an offset moves the launcher away from its corner', async () => {
  const { page } = await open({});
  const before = await widget(page, '.launcher').boundingBox();
  await page.evaluate(() => {
    const chat = /** @type {HTMLElement} */ (document.querySelector('pincite-chat'));
    chat.style.setProperty('--pincite-offset-x', '60px');
    chat.style.setProperty('--pincite-offset-y', '90px');
  });
  await page.waitForFunction((y) => (document.querySelector('pincite-chat')?.shadowRoot?.querySelector('.launcher')?.getBoundingClientRect().y ?? y) < y - 60, before?.y ?? 0);
  const after = await widget(page, '.launcher').boundingBox();
  assert.deepEqual([(before?.x ?? 0) - (after?.x ?? 0), (before?.y ?? 0) - (after?.y ?? 0)], [40, 70]);
});

test('an element with data-pincite-open opens the chat and gets the focus back, also on a page without launcher', async () => {
  const { page } = await open({ 'no-launcher': '' });
  assert.equal(await widget(page, '.launcher').isVisible(), false);
  await page.evaluate(() => {
    const opener = Object.assign(document.createElement('button'), { id: 'opener', textContent: 'Ask' });
    opener.dataset.pinciteOpen = '';
    document.querySelector('h1')?.after(opener);
  });
  await page.locator('#opener').focus();
  await page.keyboard.press('Enter');
  await widget(page, 'textarea').waitFor();
  await page.keyboard.press('Escape');
  await widget(page, 'dialog').waitFor({ state: 'hidden' });
  await getsFocus(page, 'opener');
});

test('with consent required, nothing is sent before the reader agrees, and declining keeps the question', async () => {
  const { page, complaints } = await open({ consent: 'Questions go to our server.', 'consent-url': '/guide/install.html' });
  /** @type {string[]} */
  const requests = [];
  page.on('request', (request) => { if (request.url().includes('/api/')) requests.push(request.url()); });
  await ask(page, 'First?');
  const notice = widget(page, '[part=consent]');
  await notice.waitFor();
  assert.match(await notice.innerText(), /^Questions go to our server\. More about it/u);
  assert.equal(await notice.getByRole('link').getAttribute('href'), `${site.url}/guide/install.html`);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => (
    /** @type {any} */ (globalThis).axe.run(document.body, { rules: { region: { enabled: false } } })));
  assert.deepEqual(violations.map((/** @type {any} */ { id, nodes }) => [id, nodes[0].html]), []);
  await button(page, 'Not now').click();
  assert.equal(await notice.count(), 0);
  assert.equal(await widget(page, 'textarea').inputValue(), 'First?');
  assert.deepEqual(requests, []);
  await widget(page, 'textarea').press('Enter');
  await button(page, 'Agree and ask').click();
  await answered(page);
  assert.equal(asked(), 1);
  assert.deepEqual(complaints, []);
});

test('a reader who agreed is asked again only if the text changes', async () => {
  const { page } = await open({ consent: 'Questions go to our server.' });
  await ask(page, 'First?');
  await button(page, 'Agree and ask').click();
  await answered(page);
  await configure(page, {});
  await askAndWait(page, 'Second?');
  assert.equal(await widget(page, '[part=consent]').count(), 0);
  await configure(page, { consent: 'Questions go to another server.' });
  await ask(page, 'Third?');
  await widget(page, '[part=consent]').waitFor();
  assert.equal(asked(), 2);
});

test('if the consent module cannot be loaded, nothing is sent and a message is shown', async () => {
  const { page } = await open({ 'consent-url': '/guide/install.html' });
  await page.route('**/pincite-consent.js', (route) => route.abort());
  await ask(page, 'First?');
  await widget(page, '.hint').filter({ hasText: 'This could not be loaded. Reload the page.' }).waitFor();
  assert.equal(await widget(page, 'textarea').inputValue(), 'First?');
  assert.equal(asked(), 0);
});

/** The documented name and fields of each event. */
const DOCUMENTED = Object.fromEntries([...ANALYTICS.matchAll(/^\| `(pincite-[a-z]+)` \|[^|]*\| (.*) \|$/gmu)]
  .map(([, name, fields]) => [name, [...fields.matchAll(/`(\w+)`/gu)].map(([, field]) => field)]));

/** @param {Page} page */
async function useEverything(page) {
  await askAndWait(page);
  await button(page, 'Helpful').click();
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  await button(page, 'Close').click();
}

test('the documented events and fields are those that are dispatched', async () => {
  const { page } = await open({});
  await page.evaluate((names) => {
    const seen = /** @type {any} */ (globalThis).seen = /** @type {Record<string, string[]>} */ ({});
    for (const name of names) {
      document.addEventListener(name, (event) => { seen[name] = Object.keys(/** @type {CustomEvent} */ (event).detail ?? {}); });
    }
  }, Object.keys(DOCUMENTED));
  await useEverything(page);
  assert.equal(Object.keys(DOCUMENTED).length, 6);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (globalThis).seen), DOCUMENTED);
});

for (const [, service, snippet] of ANALYTICS.matchAll(/^## (.+?)\n[^`]*?```js\n([^]*?)```/gmu)) {
  test(`the documented code for ${service} sends every event to it, without the question's words`, async () => {
    const { page } = await open({});
    await page.evaluate(() => {
      const calls = /** @type {any} */ (globalThis).calls = /** @type {any[]} */ ([]);
      const record = (/** @type {any[]} */ ...call) => calls.push(call);
      Object.assign(globalThis, { plausible: record, gtag: record, posthog: { capture: record } });
    });
    await page.evaluate(snippet);
    await useEverything(page);
    const calls = JSON.stringify(await page.evaluate(() => /** @type {any} */ (globalThis).calls)).replaceAll('pincite_', 'pincite-');
    for (const name of Object.keys(DOCUMENTED).filter((each) => each !== 'pincite-close')) assert.ok(calls.includes(name), `${name} in ${calls}`);
    assert.match(calls, /"outcome":"answered".*"vote":"up"/u);
    assert.doesNotMatch(calls, /retried/u);
  });
}
