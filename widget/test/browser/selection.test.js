import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { answers, refuses } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { answered, ask, button, getsFocus, highlighted, leave, openChat, select, visit, widget } from '../support/reader.js';

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

const PASSAGE = '#why + p';
const open = (options = {}) => visit(browser, `${site.url}/guide/retries.html`, options);
const mode = (/** @type {import('playwright-core').Page} */ page) => widget(page, 'input[name=mode]:checked').inputValue();

/** @param {import('playwright-core').Page} page */
async function askAboutPassage(page, selector = PASSAGE) {
  await select(page, selector);
  await widget(page, '.ask-this').click();
  await widget(page, 'textarea').waitFor();
}

test('a question about a selected passage sends the passage, which stays highlighted', async () => {
  const { page, complaints } = await open();
  await askAboutPassage(page);
  assert.equal(await mode(page), 'selection');
  assert.match(await highlighted(page, 'pincite-selected'), /^Networks fail\..+counted up by one\.$/u);
  await ask(page, 'Why?');
  await answered(page);
  const { mode: sent, selection } = site.received[0].body;
  assert.equal(sent, 'selection');
  assert.match(selection.text, /^Networks fail\./u);
  assert.equal(selection.page_url, '/guide/retries.html');
  assert.ok(Math.abs(Date.now() - Date.parse(selection.captured_at)) < 60_000);
  assert.equal(await widget(page, '.badge').innerText(), 'Based on your selected text · Docs as of Nov 12, 2026');
  assert.equal(await mode(page), 'selection', 'it stays for follow-up questions');
  assert.deepEqual(complaints, []);
});

test('the button takes no focus, keeps the selection, and disappears with it', async () => {
  const { page } = await open();
  await select(page, PASSAGE);
  await widget(page, '.ask-this').waitFor();
  await getsFocus(page, 'BODY');
  assert.match(await page.evaluate(() => String(getSelection())), /^Networks fail/u);
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await widget(page, '.ask-this').waitFor({ state: 'hidden' });
});

test('the button covers no selected text, even if the window ends within the passage', async () => {
  const { page } = await open({ viewport: { width: 640, height: 370 } });
  await select(page, PASSAGE);
  await widget(page, '.ask-this').waitFor();
  const { passage, button: asks } = await page.evaluate(() => ({
    passage: getSelection()?.getRangeAt(0).getBoundingClientRect().toJSON(),
    button: document.querySelector('pincite-chat')?.shadowRoot?.querySelector('.ask-this')?.getBoundingClientRect().toJSON(),
  }));
  assert.ok(passage.top < 370 && passage.bottom > 370, JSON.stringify(passage));
  assert.ok(asks.top >= 0 && asks.bottom <= passage.top, JSON.stringify([asks, passage]));
});

test('a selection of a word or two shows no button', async () => {
  const { page } = await open();
  await select(page, PASSAGE);
  await widget(page, '.ask-this').waitFor();
  await select(page, '#why');
  await widget(page, '.ask-this').waitFor({ state: 'hidden' });
});

test('the shortcut opens the chat with the selected passage', async () => {
  const { page } = await open();
  await select(page, PASSAGE);
  await page.keyboard.press('Control+i');
  await widget(page, 'textarea').waitFor();
  assert.equal(await mode(page), 'selection');
});

/** @param {import('playwright-core').Page} page */
async function passageAndPanel(page) {
  const passage = await page.evaluate(() => /** @type {Range} */ ([...(CSS.highlights.get('pincite-selected') ?? [])][0]).getBoundingClientRect().toJSON());
  return { passage, panel: /** @type {{y: number, height: number}} */ (await widget(page, 'dialog').boundingBox()) };
}

test('the panel becomes shorter, and the page scrolls, if they would hide the passage, until it is dropped', async () => {
  const { page } = await open({ viewport: { width: 900, height: 700 } });
  await askAboutPassage(page, 'main > article > h1 + p');
  const first = await passageAndPanel(page);
  assert.equal(await page.evaluate(() => scrollY), 0, 'what is in sight stays where it is');
  assert.ok(first.passage.bottom <= first.panel.y, JSON.stringify(first));
  await page.evaluate(() => document.querySelector('#backoff + p')?.scrollIntoView({ block: 'end' }));
  await askAboutPassage(page, '#backoff + p');
  await widget(page, 'textarea').click();
  await ask(page, 'How often?');
  await answered(page);
  const { passage, panel } = await passageAndPanel(page);
  assert.ok(passage.top >= 0 && passage.bottom <= panel.y, JSON.stringify([passage, panel]));
  await button(page, 'Remove the selected text').click();
  const released = /** @type {{height: number}} */ (await widget(page, 'dialog').boundingBox());
  assert.ok(released.height > panel.height);
});

test('the panel has its full height again when the reader uses the answer', async () => {
  const { page } = await open({ viewport: { width: 900, height: 700 } });
  await askAboutPassage(page);
  await ask(page, 'Why?');
  await answered(page);
  const { panel } = await passageAndPanel(page);
  await widget(page, '.question').click();
  assert.ok((await passageAndPanel(page)).panel.height > panel.height);
});

test('a passage beside the panel moves nothing, and one out of view is scrolled into view', async () => {
  const { page } = await open({ viewport: { width: 1600, height: 700 } });
  await page.evaluate(() => scrollTo(0, 40));
  await askAboutPassage(page);
  assert.equal(await page.evaluate(() => scrollY), 40);
  assert.equal(await widget(page, 'dialog.short').count(), 0);
  await widget(page, 'label').filter({ hasText: 'This site' }).click();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await widget(page, 'label').filter({ hasText: 'Selected text' }).click();
  const { passage } = await passageAndPanel(page);
  assert.ok(passage.top >= 0 && passage.bottom <= 700, JSON.stringify(passage));
});

test('a passage over code and a table keeps its lines and its cells apart', async () => {
  const { page } = await open();
  await page.locator('article summary').click();
  await askAboutPassage(page, 'article');
  await ask(page, 'Which options are there?');
  await answered(page);
  const { text } = site.received[0].body.selection;
  assert.match(text, /queues:\n {2}mail:\n {4}max_attempts: 5/u);
  assert.match(text, /concurrency\t10\tJobs/u);
});

test('too short a passage falls back to the whole site and says so', async () => {
  const { page } = await open();
  await select(page, '#why');
  await openChat(page);
  await widget(page, 'label').filter({ hasText: 'Selected text' }).click();
  await ask(page);
  await answered(page);
  assert.equal(site.received[0].body.mode, 'corpus');
  assert.equal('selection' in site.received[0].body, false);
  assert.match(await widget(page, '.notice').innerText(), /too short.+whole site was searched/u);
});

test('a passage older than five minutes falls back and says so', async () => {
  const { page } = await open();
  await page.clock.install();
  await askAboutPassage(page);
  await page.clock.setSystemTime(Date.now() + 5 * 60_000 + 1000);
  await ask(page);
  await answered(page);
  assert.equal(site.received[0].body.mode, 'corpus');
  assert.match(await widget(page, '.notice').innerText(), /five minutes/u);
});

test('a passage does not survive a change of page', async () => {
  const { page } = await open();
  await askAboutPassage(page);
  await page.evaluate(() => {
    history.pushState(null, '', '/guide/install.html');
    /** @type {any} */ (document.querySelector('pincite-chat')).routeChanged();
  });
  assert.match(await widget(page, '.hint').innerText(), /page has changed/u);
  assert.equal(await mode(page), 'corpus');
  assert.equal(await highlighted(page, 'pincite-selected'), '');
});

test('without routeChanged, the fallback is used when the question is asked', async () => {
  const { page } = await open();
  await askAboutPassage(page);
  await page.evaluate(() => history.pushState(null, '', '/guide/install.html'));
  await ask(page);
  await answered(page);
  assert.equal(site.received[0].body.mode, 'corpus');
  assert.match(await widget(page, '.notice').innerText(), /another page/u);
});

test('the reader can drop the passage and switch back', async () => {
  const { page } = await open();
  await askAboutPassage(page);
  await button(page, 'Remove the selected text').click();
  assert.equal(await mode(page), 'corpus');
  assert.equal(await highlighted(page, 'pincite-selected'), '');
  await widget(page, 'label').filter({ hasText: 'Selected text' }).click();
  assert.equal(await mode(page), 'selection');
});

test('a question that the passage does not answer can be asked of the whole site', async () => {
  const { page } = await open();
  await askAboutPassage(page);
  await ask(page, 'Why?');
  await answered(page);
  site.next(refuses({ mode: 'selection', code: 'not_in_selection', message: 'The selected text does not contain the answer.',
    suggestions: [{ code: 'whole_site', text: 'Search the whole site' }] }));
  site.next(answers());
  await ask(page, 'How much does it cost?');
  await button(page, 'Search the whole site').click();
  await answered(page);
  assert.deepEqual(site.received.map(({ body }) => [body.query, body.mode]),
    [['Why?', 'selection'], ['How much does it cost?', 'selection'], ['How much does it cost?', 'corpus']]);
});
