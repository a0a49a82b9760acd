/** The reader's choice of the panel's place and size, which the browser stores. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { launchBrowser, startSite } from '../support/browser.js';
import { button, getsFocus, leave, openChat, select, visit, widget } from '../support/reader.js';

/** @typedef {import('playwright-core').Page} Page */

/** Minimum height of the conversation for the question and the start of its answer, in pixels. */
const READABLE = 140;

const USUAL = { width: 430, height: 720 };

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => { site = await startSite(); });
afterEach(() => leave(browser, site));

/**
 * Open a page and its chat.
 * @param {string} [query]
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
async function open(query = '', options = {}) {
  const visited = await visit(browser, `${site.url}/guide/retries.html${query}`, options);
  await openChat(visited.page);
  await widget(visited.page, '.edge.width').waitFor({ state: 'attached' });
  return visited;
}

/** @param {Page} page */
const panelBox = async (page) => /** @type {{x: number, y: number, width: number, height: number}} */ (await widget(page, 'dialog').boundingBox());

/**
 * @param {Page} page
 * @param {'width' | 'height'} side
 * @param {number} by  To the right, or down.
 */
async function drag(page, side, by) {
  const { x, y, width, height } = /** @type {DOMRect} */ (await widget(page, `.edge.${side}`).boundingBox());
  const from = { x: x + width / 2, y: y + height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + (side === 'width' ? by : 0), from.y + (side === 'height' ? by : 0), { steps: 4 });
  await page.mouse.up();
}

/**
 * @param {Page} page
 * @param {string} name
 */
const separator = (page, name) => page.locator('pincite-chat').getByRole('separator', { name, exact: true });

test('dragging an edge resizes the panel on every later page, and a double click restores its size', async () => {
  const { page, complaints } = await open();
  assert.equal((await panelBox(page)).width, USUAL.width);
  await drag(page, 'width', -170);
  const wide = await panelBox(page);
  assert.deepEqual([wide.width, wide.x + wide.width], [600, 1260]);
  await page.goto(`${site.url}/guide/install.html`);
  await openChat(page);
  assert.equal((await panelBox(page)).width, 600, 'as soon as it is open');
  await widget(page, '.edge.width').dblclick();
  assert.equal((await panelBox(page)).width, USUAL.width);
  await page.reload();
  await openChat(page);
  await widget(page, '.edge.width').waitFor();
  assert.equal((await panelBox(page)).width, USUAL.width);
  assert.deepEqual(complaints, []);
});

test('the upper edge changes the height, and a larger window restores a height that did not fit', async () => {
  const { page } = await open();
  await drag(page, 'height', 200);
  assert.equal((await panelBox(page)).height, USUAL.height - 200);
  await drag(page, 'height', -700);
  assert.equal((await panelBox(page)).height, 800 - 32);
  await page.setViewportSize({ width: 1280, height: 600 });
  assert.equal((await panelBox(page)).height, 600 - 32);
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.equal((await panelBox(page)).height, 800 - 32);
});

test('the keyboard moves an edge as a window splitter, which reports its position', async () => {
  const { page } = await open();
  const edge = separator(page, 'Width of the chat');
  const told = async () => Promise.all(['aria-valuemin', 'aria-valuenow', 'aria-valuemax'].map((name) => edge.getAttribute(name)));
  assert.deepEqual(await told(), ['320', '430', '768']);
  await edge.focus();
  for (const [key, width] of /** @type {[string, number][]} */ ([['ArrowLeft', 446], ['ArrowRight', 430], ['Home', 320], ['ArrowRight', 320],
    ['End', 768], ['ArrowUp', 768], ['Enter', 430]])) {
    await page.keyboard.press(key);
    assert.equal((await panelBox(page)).width, width, key);
    await widget(page, `.edge.width[aria-valuenow="${width}"]`).waitFor({ state: 'attached' });
  }
  await separator(page, 'Height of the chat').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal((await panelBox(page)).height, USUAL.height - 16);
  await getsFocus(page, 'Height of the chat');
});

for (const [what, query] of [['at the left', '?w-position=left'], ['from right to left', '?lang=fa']]) {
  test(`${what} the edge and the direction that makes it wider are mirrored`, async () => {
    const { page } = await open(query);
    const edge = /** @type {DOMRect} */ (await widget(page, '.edge.width').boundingBox());
    const panel = await panelBox(page);
    assert.ok(Math.abs(edge.x + edge.width - (panel.x + panel.width)) <= 1);
    await drag(page, 'width', 70);
    assert.deepEqual([(await panelBox(page)).width, (await panelBox(page)).x], [500, panel.x]);
    await widget(page, '.edge.width').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal((await panelBox(page)).width, 516);
    assert.equal(await widget(page, '.dock svg').evaluate((svg) => getComputedStyle(svg).scale), '-1 1');
  });
}

for (const [position, edge] of /** @type {const} */ ([['left', 'x'], ['right', 'right']])) {
  test(`a docked panel fills the window's ${position} edge, and the page stands beside it`, async () => {
    const { page } = await open(`?w-position=${position}`);
    await widget(page, '.dock').click();
    const panel = await widget(page, 'dialog').evaluate((element) => element.getBoundingClientRect().toJSON());
    const body = await page.evaluate(() => document.documentElement.getBoundingClientRect().toJSON());
    assert.ok(Math.abs(panel[edge] - (position === 'left' ? 0 : 1280)) <= 1, JSON.stringify(panel));
    assert.ok(position === 'left' ? body.left >= panel.right : body.right <= panel.left, JSON.stringify([panel, body]));
    await button(page, 'Close').click();
    assert.equal(await page.evaluate(() => document.documentElement.getBoundingClientRect().width), 1280);
  });
}

test('a wider docked panel leaves less space for the page, and has no upper edge', async () => {
  const { page } = await open();
  await widget(page, '.dock').click();
  assert.equal(await widget(page, '.edge.height').isVisible(), false);
  await drag(page, 'width', -100);
  const panel = await panelBox(page);
  assert.equal(panel.width, 530);
  assert.equal(await page.evaluate(() => document.documentElement.getBoundingClientRect().right), 1280 - 530);
  await page.reload();
  await openChat(page);
  assert.deepEqual(await panelBox(page), panel);
  assert.equal(await button(page, 'Dock beside the page').getAttribute('aria-pressed'), 'true');
});

test('dragging the upper edge overrides the short height for a passage', async () => {
  const { page } = await open('', { viewport: { width: 900, height: 640 } });
  await button(page, 'Close').click();
  await select(page, '#why + p');
  await widget(page, '.ask-this').click();
  await widget(page, 'dialog.short').waitFor();
  const log = await widget(page, '.log').boundingBox();
  assert.ok((log?.height ?? 0) >= READABLE, 'beneath the passage there is room for the beginning of an answer');
  const short = await panelBox(page);
  await drag(page, 'height', -100);
  assert.equal(await widget(page, 'dialog.short').count(), 0);
  assert.equal((await panelBox(page)).height, short.height + 100);
});

test('a phone has no edges and loads nothing for them', async () => {
  const { page } = await visit(browser, `${site.url}/guide/retries.html`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  /** @type {string[]} */
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await openChat(page);
  await button(page, 'Close').click();
  assert.deepEqual(asked.filter((url) => url.includes('frame')), []);
  assert.equal(await widget(page, '.edge').count(), 0);
});

test('invalid stored sizes are ignored, and without its file the panel keeps the default size', async () => {
  const { page } = await visit(browser, `${site.url}/guide/retries.html`, { setUp: () => localStorage.setItem('pincite:/:frame', '{"width":"<b>') });
  await openChat(page);
  assert.equal((await panelBox(page)).width, USUAL.width);
  await page.route('**/pincite-frame.js', (route) => route.abort());
  await page.reload();
  await openChat(page);
  assert.equal(await widget(page, '.dock').isVisible(), false);
  assert.equal((await panelBox(page)).width, USUAL.width);
});
