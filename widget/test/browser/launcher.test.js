/** The launcher: its keys, and its place among the page's fixed elements. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { launchBrowser, startSite } from '../support/browser.js';
import { leave, visit, widget } from '../support/reader.js';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => { site = await startSite(); });
afterEach(() => leave(browser, site));

const open = (path = '', options = {}) => visit(browser, `${site.url}/guide/retries.html${path}`, options);

/** @typedef {import('playwright-core').Page} Page */

/**
 * Send a key event of another keyboard layout.
 * @param {Page} page
 * @param {KeyboardEventInit} event
 */
const press = (page, event) => page.evaluate((init) => document.body.dispatchEvent(
  new KeyboardEvent('keydown', { bubbles: true, cancelable: true, .../** @type {KeyboardEventInit} */ (init) })), /** @type {any} */ (event));

/** @param {Page} page */
const isOpen = async (page) => await widget(page, 'dialog[open]').count() > 0;

/** @param {Page} page */
const opened = (page) => widget(page, 'dialog[open]').waitFor();

/** @param {Page} page @param {string} [mac] */
const asMac = (page, mac = 'MacIntel') => page.addInitScript((platform) => Object.defineProperty(navigator, 'platform', { value: platform }), mac);

test('the shortcut is exposed to screen readers and in the title of the launcher', async () => {
  const { page } = await open();
  assert.equal(await widget(page, '.launcher').getAttribute('aria-keyshortcuts'), 'Control+I');
  assert.equal(await widget(page, '.launcher').getAttribute('title'), 'Ctrl+I');
  await asMac(page);
  await page.reload();
  assert.equal(await widget(page, '.launcher').getAttribute('aria-keyshortcuts'), 'Meta+I');
  assert.equal(await widget(page, '.launcher').getAttribute('title'), '⌘+I');
});

test('cmd+k is Control and K, or Command and K, and never K alone', async () => {
  const { page } = await open('?w-shortcut=cmd%2Bk');
  assert.equal(await widget(page, '.launcher').getAttribute('aria-keyshortcuts'), 'Control+K');
  await page.keyboard.press('k');
  await page.keyboard.press('Control+Shift+K');
  assert.equal(await isOpen(page), false);
  await page.keyboard.press('Control+k');
  await opened(page);
  await page.keyboard.press('Meta+k');
  assert.equal(await isOpen(page), false);
});

for (const wrong of ['k', 'shift+k', 'cmd', 'hyper+k', 'ctrl+', 'ctrl k']) {
  test(`an invalid shortcut, "${wrong}", is reported once in the console and no key opens the chat`, async () => {
    const { page, complaints } = await open(`?w-shortcut=${encodeURIComponent(wrong)}`);
    await page.waitForFunction(() => document.querySelector('pincite-chat')?.hasAttribute('shortcut'));
    assert.deepEqual(complaints, [`<pincite-chat>: shortcut="${wrong}" is invalid. Write "ctrl+i".`]);
    for (const key of ['k', 'Shift+K', 'Control+k', 'Control+i', 'Control']) await page.keyboard.press(key);
    assert.equal(await isOpen(page), false);
    assert.equal(await widget(page, '.launcher').getAttribute('title'), '');
  });
}

test('on a Cyrillic keyboard the shortcut is the same key, on Dvorak the same letter', async () => {
  const { page } = await open();
  await press(page, { key: 'c', code: 'KeyI', ctrlKey: true }); // Dvorak's C is at the position of I.
  assert.equal(await isOpen(page), false);
  await press(page, { key: 'ш', code: 'KeyI', ctrlKey: true });
  await opened(page);
  await press(page, { key: 'i', code: 'KeyG', ctrlKey: true });
  assert.equal(await isOpen(page), false);
});

test('the shortcut works with Option on a Mac, which changes the character', async () => {
  const { page } = await open('?w-shortcut=alt%2Bq');
  await press(page, { key: 'œ', code: 'KeyQ', altKey: true });
  await opened(page);
});

/**
 * Add a button at the place of Docusaurus's back-to-top button.
 * @param {Page} page
 * @param {string} [edge]
 */
const addBackToTop = (page, edge = 'inline-end') => page.evaluate((side) => {
  const button = document.createElement('button');
  button.id = 'back-to-top';
  const style = new CSSStyleSheet();
  style.replaceSync(`#back-to-top { position: fixed; inset-${side}: 1.3rem; bottom: 1.3rem; width: 3rem; height: 3rem; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
  document.body.append(button);
}, edge);

/**
 * @param {Page} page
 * @param {any} own  The launcher's box.
 */
async function overlap(page, own) {
  const other = /** @type {any} */ (await page.locator('#back-to-top').boundingBox());
  return own.x < other.x + other.width && other.x < own.x + own.width && own.y < other.y + other.height && other.y < own.y + own.height;
}

for (const [look, path, options, edge] of /** @type {[string, string, object, string?][]} */ ([
  ['a desktop', '', {}], ['a phone', '', { viewport: { width: 390, height: 844 } }], ['right to left', '?lang=fa', {}],
  ['at the left', '?w-position=left', {}, 'inline-start']])) {
  test(`the launcher avoids other fixed elements in its corner, and returns: ${look}`, async () => {
    const { page } = await open(path, options);
    const place = () => widget(page, '.launcher').boundingBox();
    const usual = await place();
    await addBackToTop(page, edge);
    assert.equal(await overlap(page, usual), true);
    await page.mouse.wheel(0, 300);
    await page.waitForFunction((y) => (
      /** @type {any} */ (document.querySelector('pincite-chat')).shadowRoot.querySelector('.launcher').getBoundingClientRect().y < y), usual?.y ?? 0);
    assert.equal(await overlap(page, await place()), false);
    assert.equal((await place())?.x, usual?.x);
    await page.locator('#back-to-top').click({ trial: true });
    await page.evaluate(() => document.querySelector('#back-to-top')?.remove());
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((y) => (
      /** @type {any} */ (document.querySelector('pincite-chat')).shadowRoot.querySelector('.launcher').getBoundingClientRect().y === y), usual?.y ?? 0);
  });
}

test('on a page that is too wide for a phone, the launcher is in the visible part, at the latest after scrolling', async () => {
  const { page } = await open('', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.evaluate(() => {
    const wide = document.body.appendChild(document.createElement('div'));
    wide.style.cssText = 'width: 600px; height: 2000px'; // Without an event.
  });
  await page.waitForFunction(() => innerWidth > 390);
  await page.evaluate(() => scrollBy(0, 200));
  await page.waitForFunction(() => {
    const { right, bottom } = /** @type {any} */ (document.querySelector('pincite-chat')).shadowRoot.querySelector('.launcher').getBoundingClientRect();
    return right <= 390 && bottom <= 844;
  });
  await widget(page, '.launcher').tap();
  await opened(page);
});

test("a page's dialog over the whole window does not move the launcher", async () => {
  const { page } = await open();
  const usual = await widget(page, '.launcher').boundingBox();
  await page.evaluate(() => {
    const cover = document.body.appendChild(document.createElement('div'));
    cover.style.cssText = 'position: fixed; inset: 0';
  });
  await page.mouse.wheel(0, 300);
  await addBackToTop(page);
  await page.evaluate(() => document.querySelector('#back-to-top')?.animate([{ opacity: 1 }, { opacity: 1 }], 600).finished); // The launcher has been updated by then.
  assert.deepEqual(await widget(page, '.launcher').boundingBox(), usual);
});
