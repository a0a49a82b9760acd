/** What the options make of the chat, in a real browser on a real build. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildSite } from '../site.js';
import { provideWidget } from '../../src/widget.js';
import { launchBrowser } from './launch.js';
import { serveFolder } from './serve.js';

/**
 * @import {Browser, Page} from 'playwright-core'
 * @import {Build} from '../site.js'
 * @import {Served} from './serve.js'
 */

describe('a site with a chat of its own making', () => {
  /** @type {Build} */ let build;
  /** @type {Served} */ let site;
  /** @type {Browser} */ let browser;
  /** @type {Page} */ let page;

  before(async () => {
    const value = '<button type="button" data-pincite-open>Ask AI</button>';
    build = await buildSite({
      site: { i18n: undefined, themeConfig: { navbar: { items: [{ type: 'html', position: 'right', value }, { to: '/about', label: 'About' }] } } },
      plugin: {
        strings: { launch: 'Ask "AI"', placeholder: 'Your question to {site}' },
        position: 'left',
        consent: { url: '/kit/about' },
        hideLauncherOn: ['/about', '/blog/*'],
      },
    });
    assert.equal(build.failed, false, build.log);
    rmSync(join(build.outDir, 'pincite'), { recursive: true, force: true }); // The stub's stand-in for the widget.
    await provideWidget(build.outDir);
    site = await serveFolder(build.outDir, '/kit/');
    browser = await launchBrowser();
    page = await browser.newPage();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    build?.remove();
  });

  /** @param {string} path */
  async function visit(path) {
    await page.goto(`${site.origin}${path}`);
    await page.waitForFunction(() => document.documentElement.dataset.hasHydrated === 'true');
    await page.locator('pincite-chat .launcher').waitFor({ state: 'attached' });
  }

  test('has its own words, on its own side', async () => {
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

  test('has no launcher where the site wants none, after a change of page too, and opens from the navbar there', async () => {
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
