/** The client module and the options' effects on the chat, in a real browser on one real build. */
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { buildSite } from '../site.js';
import { provideWidget } from '../../src/widget.js';
import { launchBrowser } from './launch.js';
import { serveFolder } from './serve.js';

/**
 * @import {Browser, Page} from 'playwright-core'
 * @import {Build} from '../site.js'
 * @import {Served} from './serve.js'
 */

/** @type {Build} */ let build;
/** @type {Browser} */ let browser;

before(async () => {
  const value = '<button type="button" data-pincite-open>Ask AI</button>';
  build = await buildSite({
    site: { themeConfig: { navbar: { items: [{ type: 'html', position: 'right', value }, { to: '/about', label: 'About' }] } } },
    plugin: {
      strings: { launch: 'Ask "AI"', placeholder: 'Your question to {site}' },
      position: 'left',
      consent: { url: '/kit/about' },
      hideLauncherOn: ['/about', '/blog/*'],
    },
  });
  assert.equal(build.failed, false, build.log);
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  build?.remove();
});

describe('a citation followed within the site', () => {
  /** @type {Served} */ let site;
  /** @type {Page} */ let page;

  before(async () => {
    site = await serveFolder(build.outDir, '/kit/');
  });
  after(() => site?.close());
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

  test('shows the page and its section without a reload, and notifies the chat', async () => {
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

  test('within the page scrolls there and does not change the page', async () => {
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

describe('a site with a chat of its own making', () => {
  /** @type {Served} */ let site;
  /** @type {Page} */ let page;

  before(async () => {
    const folder = `${build.outDir}-with-widget`;
    cpSync(build.outDir, folder, { recursive: true });
    rmSync(join(folder, 'pincite'), { recursive: true, force: true }); // The stub's widget.
    await provideWidget(folder);
    site = await serveFolder(folder, '/kit/');
    page = await browser.newPage();
  });
  after(() => site?.close());

  /** @param {string} path */
  async function visit(path) {
    await page.goto(`${site.origin}${path}`);
    await page.waitForFunction(() => document.documentElement.dataset.hasHydrated === 'true');
    await page.locator('pincite-chat .launcher').waitFor({ state: 'attached' });
  }

  test("has the site's texts and side", async () => {
    await visit('/kit/docs/next/');
    const launcher = page.locator('pincite-chat .launcher');
    assert.equal(await launcher.innerText(), 'Ask "AI"');
    assert.ok(((await launcher.boundingBox())?.x ?? Infinity) < 100);
    await launcher.click();
    assert.equal(await page.locator('pincite-chat textarea').getAttribute('placeholder'), 'Your question to Kit <Docs>');
    await page.locator('pincite-chat textarea').fill('Which port?');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('pincite-chat [part=consent] a').getAttribute('href'), `${site.origin}/kit/about`);
  });

  test('has no launcher on the configured pages, also after navigation, and opens from the navbar there', async () => {
    await visit('/kit/about');
    const launcher = page.locator('pincite-chat .launcher');
    await launcher.waitFor({ state: 'hidden' });
    await page.locator('.navbar [data-pincite-open]').click();
    await page.locator('pincite-chat textarea').waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(() => /** @type {any} */ (document.querySelector('pincite-chat')).navigate('/kit/docs/next/'));
    await launcher.waitFor({ state: 'visible' });
    await page.locator('.navbar a', { hasText: 'About' }).click();
    await launcher.waitFor({ state: 'hidden' });
    await visit('/kit/blog/');
    await launcher.waitFor({ state: 'hidden' });
  });
});
