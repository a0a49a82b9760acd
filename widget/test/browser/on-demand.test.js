/** The parts that the chat loads on demand, under the strictest policy, and the messages if they cannot be loaded. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { answers } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { askAndWait, assertInView, button, leave, openChat, visit, widget } from '../support/reader.js';

const FAILED = 'This could not be loaded. Reload the page.';

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

const open = () => visit(browser, `${site.url}/guide/retries.html`);

/**
 * Record the widget's files that the page requests.
 * @param {import('playwright-core').Page} page
 */
function loadedBy(page) {
  /** @type {string[]} */
  const files = [];
  page.on('request', (request) => {
    const [, file] = /\/pincite\/(.+)$/u.exec(new URL(request.url()).pathname) ?? [];
    if (file) files.push(file);
  });
  return files;
}

test('opening the chat loads only the chat and the frame, and each other part is loaded once, on first use', async () => {
  const { page, complaints } = await open();
  const files = loadedBy(page);
  await askAndWait(page);
  await widget(page, '.edge').first().waitFor({ state: 'attached' });
  assert.deepEqual(files, ['pincite-chat.js', 'pincite-frame.js']);
  await widget(page, 'summary').click();
  await widget(page, '.meta dt').first().waitFor();
  await button(page, 'Conversations').click();
  await widget(page, '.session').waitFor();
  await button(page, 'Back to the conversation').click();
  await button(page, 'Conversations').click();
  await widget(page, '.session').waitFor();
  await button(page, 'Back to the conversation').click();
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  assert.deepEqual(files.slice(2), ['pincite-details.js', 'pincite-history-view.js', 'pincite-landing.js']);
  assert.deepEqual(complaints, []);
});

test('a list of conversations that cannot be loaded is reported, and loaded later', async () => {
  const { page } = await open();
  await page.route('**/pincite-history-view.js', (route) => route.abort());
  await openChat(page);
  await button(page, 'Conversations').click();
  assert.equal(await widget(page, '.history [role=alert]').innerText(), FAILED);
  await page.unroute('**/pincite-history-view.js');
  await button(page, 'Back to the conversation').click();
  await button(page, 'Conversations').click();
  await widget(page, '.history').getByText('No conversations yet.', { exact: true }).waitFor(); // It replaces the earlier content.
  assert.equal(await widget(page, '.history [role=alert]').count(), 0);
});

test('facts about an answer that cannot be loaded are reported with the same sentence', async () => {
  const { page } = await open();
  await page.route('**/pincite-details.js', (route) => route.abort());
  await askAndWait(page);
  await widget(page, 'summary').click();
  await widget(page, '.meta').filter({ hasText: FAILED }).waitFor();
});

test('without the landing module, a citation is a link to its heading', async () => {
  const { page } = await open();
  await page.route('**/pincite-landing.js', (route) => route.abort());
  await askAndWait(page);
  await widget(page, '.cite').first().click();
  await page.waitForURL('**/retries.html#backoff');
  await assertInView(page, '#backoff');
});
