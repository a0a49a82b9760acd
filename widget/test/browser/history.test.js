import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { answers } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { answered, ask, askAndWait, becomes, button, getsFocus, leave, openChat, visit, widget } from '../support/reader.js';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => {
  site = await startSite();
  for (let n = 0; n < 4; n += 1) site.next(answers());
});
afterEach(() => leave(browser, site));

const KEY = 'pincite:/:history';
const open = (options = {}) => visit(browser, `${site.url}/guide/retries.html`, options);

/**
 * Confirm every dialog, and return their questions.
 * @param {import('playwright-core').Page} page
 */
function confirming(page) {
  /** @type {string[]} */
  const asked = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    dialog.accept();
  });
  return asked;
}
const titles = (/** @type {import('playwright-core').Page} */ page) => widget(page, '.session-title').allInnerTexts();

test('after a reload the conversation is shown again with working links, and continues', async () => {
  const { page, complaints } = await open();
  await askAndWait(page, 'First?');
  await page.reload();
  await openChat(page);
  await answered(page);
  assert.match(await widget(page, '.prose').innerText(), /exponential backoff/u);
  assert.equal(await widget(page, '.cite').first().getAttribute('href'), `${site.url}/guide/retries.html#backoff`);
  await askAndWait(page, 'Second?');
  const [first, second] = site.received.map(({ body }) => body);
  assert.equal(second.session_id, first.session_id);
  assert.deepEqual(second.turns.map((/** @type {any} */ turn) => turn.query), ['First?']);
  assert.deepEqual(complaints, []);
});

test('past conversations are listed newest first, can be resumed, and new messages are added there', async () => {
  const { page } = await open();
  await askAndWait(page, 'First?');
  await button(page, 'New conversation').click();
  await askAndWait(page, 'Second?');
  await button(page, 'Conversations').click();
  await becomes(() => titles(page), ['Second?', 'First?']);
  await widget(page, '.session-open').nth(1).click();
  assert.deepEqual(await widget(page, '.question').allTextContents(), ['You asked: First?']);
  await askAndWait(page, 'Third?');
  assert.equal(site.received[2].body.session_id, site.received[0].body.session_id);
});

test('one or all conversations can be deleted, and nothing of them stays in the browser', async () => {
  const { page } = await open();
  await askAndWait(page, 'First?');
  await button(page, 'New conversation').click();
  await askAndWait(page, 'Second?');
  await button(page, 'Conversations').click();
  const asked = confirming(page);
  await button(page, 'Delete “Second?”').click();
  await becomes(() => titles(page), ['First?']);
  await getsFocus(page, 'session-open');
  await button(page, 'Delete all').click();
  await getsFocus(page, 'Back to the conversation');
  assert.deepEqual(asked, ['Delete “Second?”', 'Delete all']);
  assert.equal(await widget(page, '.empty-history').innerText(), 'No conversations yet.');
  assert.equal(await page.evaluate((key) => localStorage.getItem(key), KEY), null);
  await button(page, 'Back to the conversation').click();
  assert.equal(await widget(page, '.turn').count(), 0);
});

test('without confirmation nothing is deleted', async () => {
  const { page } = await open();
  await askAndWait(page, 'First?');
  await button(page, 'Conversations').click();
  await button(page, 'Delete “First?”').click(); // Playwright dismisses dialogs without a handler.
  await button(page, 'Delete all').click();
  await becomes(() => titles(page), ['First?']);
});

test('a conversation that is deleted while its answer arrives stays deleted', async () => {
  const { page } = await open();
  await askAndWait(page, 'First?');
  await button(page, 'New conversation').click();
  await button(page, 'Conversations').click();
  await widget(page, '.session-open').click();
  site.next(answers());
  let goOn = () => {};
  const held = new Promise((resolve) => { goOn = () => resolve(undefined); });
  await page.route('**/api/chat', async (route) => {
    await held;
    await route.continue().catch(() => {});
  }, { times: 1 });
  const isQuestion = (/** @type {import('playwright-core').Request} */ request) => request.url().endsWith('/api/chat');
  const ended = Promise.any([page.waitForEvent('requestfinished', isQuestion), page.waitForEvent('requestfailed', isQuestion)]);
  await ask(page, 'Second?');
  await button(page, 'Conversations').click();
  confirming(page);
  await button(page, 'Delete all').click();
  goOn();
  await ended;
  assert.equal(await page.evaluate((key) => localStorage.getItem(key), KEY), null);
  await button(page, 'Back to the conversation').click();
  site.next(answers());
  await askAndWait(page, 'Third?'); // The second is stored by now.
  await button(page, 'Conversations').click();
  await becomes(() => titles(page), ['Third?']);
});

test('a conversation is saved as a Markdown file', async () => {
  const { page } = await open();
  await askAndWait(page, 'First?');
  await button(page, 'Conversations').click();
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save “First?” as Markdown').click()]);
  assert.equal(download.suggestedFilename(), 'First-.md');
  const text = await readFile(await download.path(), 'utf8');
  assert.match(text, new RegExp(`1\\. \\[Exponential backoff\\]\\(${site.url}/guide/retries.html#backoff\\)`, 'u'));
});

test('another tab sees a new conversation in its list', async () => {
  const { page, context } = await open();
  const other = await context.newPage();
  await other.goto(page.url());
  await openChat(other);
  await button(other, 'Conversations').click();
  await askAndWait(page, 'From the first tab?');
  await widget(other, '.session-title').waitFor();
  assert.deepEqual(await titles(other), ['From the first tab?']);
});

test('a browser without storage shows answers and a notice', async () => {
  const { page, complaints } = await open({ setUp: () => {
    Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError'); } });
  } });
  await openChat(page);
  await askAndWait(page, 'First?');
  await button(page, 'New conversation').click();
  assert.match(await widget(page, '.notice').innerText(), /does not keep data/u);
  await askAndWait(page, 'Second?');
  await button(page, 'Conversations').click();
  assert.match(await widget(page, '.history-footer p').innerText(), /ends with this page/u);
  assert.deepEqual(complaints, []);
});

test('invalid stored data is ignored with a notice', async () => {
  const { page, complaints } = await open({ setUp: () => localStorage.setItem('pincite:/:history', '{"version":1,"sessions":[{}]}') });
  await openChat(page);
  assert.match(await widget(page, '.notice').innerText(), /could not be read/u);
  await askAndWait(page);
  assert.deepEqual(complaints, []);
});

test('after a redeploy old citations lead to the current place of their sections', async () => {
  const { page } = await open();
  await askAndWait(page, 'First?');
  site.always('/api/resolve', {
    'docs/retries#backoff': { status: 'moved', url: '/guide/install.html#macos', title: 'Backoff' },
    'docs/retries#max-attempts': { status: 'lost', url: null, title: null, nearest: { url: '/guide/retries.html#options', title: 'Options' } },
  });
  await page.evaluate((key) => localStorage.setItem(key, (localStorage.getItem(key) ?? '').replaceAll('"buildId":"b1"', '"buildId":"b0"')), KEY);
  await page.reload();
  await openChat(page);
  await widget(page, '.cite[href$="/install.html#macos"]').waitFor();
  assert.match(await widget(page, '.sources').innerText(), /no longer in the docs; the link goes to the nearest/u);
  const { ids, ...scope } = site.received.filter(({ path }) => path === '/api/resolve')[0].body;
  assert.equal(ids.length, 4);
  assert.deepEqual(scope, { version: '2.4', locale: 'en' });
});

test('each site of an origin has its own conversations', async () => {
  const { page } = await open();
  await ask(page, 'First?');
  await answered(page);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).sort()), [KEY, 'pincite:/:reader']);
});

test('a page load in the middle of an answer loses neither the question nor the answer', async () => {
  const { page, complaints } = await open();
  await site.stop();
  site = await startSite();
  site.next((reply) => { reply.startStream(); });
  site.next(answers());
  await page.goto(`${site.url}/guide/retries.html`);
  await ask(page, 'How are jobs retried?');
  await widget(page, '.waiting').waitFor();
  await page.reload();
  await openChat(page);
  await answered(page);
  assert.deepEqual(await widget(page, '.question').allTextContents(), ['You asked: How are jobs retried?']);
  const [first, again] = site.received.map(({ body }) => body);
  assert.deepEqual(again, first);
  assert.deepEqual(complaints, []);
});

test('a question whose answer was lost long ago is shown, and can be asked again', async () => {
  const { page } = await open();
  await page.evaluate((key) => {
    const at = Date.now() - 60 * 60 * 1000;
    const turn = { id: 'm', query: 'Old?', mode: 'corpus', at, outcome: 'pending', answer: '', citations: [], notices: [] };
    localStorage.setItem(key, JSON.stringify({ version: 1, current: 's', sessions: [{ id: 's', title: 'Old?', created_at: at, updated_at: at, turns: [turn] }] }));
  }, KEY);
  await openChat(page);
  assert.equal(site.received.length, 0);
  await button(page, 'Try again').click();
  await answered(page);
  assert.equal(site.received[0].body.query, 'Old?');
});

for (const [language, direction] of [['en', 'none'], ['fa', '-1 1']]) {
  test(`the Back arrow points to the start of lines: ${language}`, async () => {
    const { page } = await visit(browser, `${site.url}/guide/retries.html?lang=${language}`);
    await openChat(page);
    await widget(page, '.header .icon-button').nth(2).click();
    await widget(page, '.empty-history').waitFor();
    assert.equal(await widget(page, '.header > .icon-button svg').first().evaluate((svg) => getComputedStyle(svg).scale), direction);
  });
}
