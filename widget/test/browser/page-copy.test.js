import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { launchBrowser, startSite } from '../support/browser.js';
import { button, leave, openChat, visit, widget } from '../support/reader.js';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => { site = await startSite(); });
afterEach(() => leave(browser, site));

const COPY = 'Copy this page as Markdown';
const permissions = ['clipboard-read', 'clipboard-write'];

test('the page is copied as the Markdown beside it', async () => {
  const { page } = await visit(browser, `${site.url}/guide/leases.html`, { permissions });
  await openChat(page);
  await button(page, COPY).click();
  await widget(page, '[role=status]').getByText('Copied').waitFor({ state: 'attached' });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '# Leases\n\nA lease lasts thirty seconds.\n');
});

test('a page without Markdown says so, and nothing is copied', async () => {
  const { page } = await visit(browser, `${site.url}/guide/leases.html`, { permissions });
  await openChat(page);
  await page.evaluate(() => navigator.clipboard.writeText('before'));
  await page.evaluate(() => history.replaceState(null, '', '/guide/nowhere'));
  await button(page, COPY).click();
  await widget(page, '[role=status]').getByText('This page is not there as Markdown.').waitFor({ state: 'attached' });
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'before');
});

test('a refused clipboard is reported, not a missing page', async () => {
  const { page } = await visit(browser, `${site.url}/guide/leases.html`, { permissions: [] });
  await openChat(page);
  await button(page, COPY).click();
  await widget(page, '.hint').getByText('The browser does not allow copying here.').waitFor();
});

test("a failed download of a page's Markdown is not reported as missing Markdown", async () => {
  const { page } = await visit(browser, `${site.url}/guide/leases.html`, { permissions });
  await openChat(page);
  await page.route('**/leases.md', (route) => route.abort());
  await button(page, COPY).click();
  await widget(page, '.hint').getByText('This could not be loaded. Reload the page.').waitFor();
});

test('without pages as Markdown, there is no copy button', async () => {
  const { page } = await visit(browser, `${site.url}/guide/retries.html`);
  await openChat(page);
  assert.equal(await button(page, COPY).count(), 0);
});
