/** The client module in a real browser, on a real build: the way a followed citation takes. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { buildSite } from '../site.js';
import { launchBrowser } from './launch.js';
import { serveFolder } from './serve.js';

/**
 * @import {Browser, Page} from 'playwright-core'
 * @import {Build} from '../site.js'
 * @import {Served} from './serve.js'
 */

describe('a citation followed within the site', () => {
  /** @type {Build} */ let build;
  /** @type {Served} */ let site;
  /** @type {Browser} */ let browser;
  /** @type {Page} */ let page;

  before(async () => {
    build = await buildSite();
    assert.equal(build.failed, false, build.log);
    site = await serveFolder(build.outDir, '/kit/');
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    build?.remove();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    await page.goto(`${site.origin}/kit/docs/next/`);
    await page.waitForFunction(() => document.documentElement.dataset.hasHydrated === 'true');
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector('pincite-chat'))?.navigate);
    await page.evaluate(() => Object.assign(window, { marker: 'not reloaded' }));
  });

  /** @param {string} url */
  const navigate = (url) =>
    page.evaluate((target) => /** @type {any} */ (document.querySelector('pincite-chat')).navigate(target), url);
  const routeChanges = () => page.evaluate(() => /** @type {any} */ (document.querySelector('pincite-chat')).routeChanges);
  const marker = () => page.evaluate(() => /** @type {any} */ (window).marker);

  test('shows the page and its section without a reload, and the chat learns of it', async () => {
    assert.equal(await navigate('/kit/docs/next/guides/setup#ports'), true);
    assert.equal(await marker(), 'not reloaded');
    assert.equal(new URL(page.url()).pathname, '/kit/docs/next/guides/setup');
    assert.ok(await page.locator('#ports').isVisible());
    assert.ok(await page.locator('#ports').evaluate((heading) => heading.getBoundingClientRect().top < innerHeight));
    assert.equal(await routeChanges(), 1);
  });

  test('can be taken back with the Back button', async () => {
    await navigate('/kit/docs/next/guides/setup');
    await page.goBack();
    await page.getByRole('heading', { name: 'Start here', level: 1 }).waitFor();
    assert.equal(await marker(), 'not reloaded');
    assert.equal(await routeChanges(), 2);
  });

  test('within the page scrolls there and is no change of page', async () => {
    await navigate('/kit/docs/next/guides/setup');
    assert.equal(await navigate('/kit/docs/next/guides/setup#ports'), true);
    assert.ok(await page.locator('#ports').evaluate((heading) => heading.getBoundingClientRect().top < innerHeight));
    assert.equal(await routeChanges(), 1);
  });

  test('finds a page whose address is percent-encoded', async () => {
    assert.equal(await navigate('/kit/docs/next/a%20page/%E4%BD%A0%E5%A5%BD'), true);
    await page.getByRole('heading', { name: 'Spaced', level: 1 }).waitFor();
  });

  for (const [what, url] of [
    ['another language', '/kit/fr/docs/next/'],
    ['a file', '/kit/notes.txt'],
    ['a page that is not there', '/kit/docs/next/nowhere'],
    ['another site', 'https://example.com/kit/docs/next/'],
  ]) {
    test(`leaves ${what} to the browser`, async () => {
      assert.equal(await navigate(url), false);
      assert.equal(page.url(), `${site.origin}/kit/docs/next/`);
    });
  }
});
