import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** Actions and observations of a reader on a page. */

/** @typedef {import('playwright-core').Page} Page */

/** Time limit of each action, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Open a page of the test site in its own context, and record its errors.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {import('playwright-core').BrowserContextOptions & {setUp?: () => void}} [options]
 */
export async function visit(browser, url, { setUp, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  if (setUp) await context.addInitScript(setUp);
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  await page.goto(url);
  await widget(page, '.launcher').waitFor({ state: 'attached' });
  return { page, context, complaints };
}

/**
 * Close all pages and their site.
 * @param {import('playwright-core').Browser} browser
 * @param {import('./sidecar.js').Sidecar} site
 */
export async function leave(browser, site) {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await site.stop();
}

/**
 * @param {Page} page
 * @param {string} selector
 */
export function widget(page, selector) {
  return page.locator(`pincite-chat ${selector}`);
}

/**
 * @param {Page} page
 * @param {string} name  The accessible name.
 */
export function button(page, name) {
  return page.locator('pincite-chat').getByRole('button', { name, exact: true });
}

/** @param {Page} page */
export async function openChat(page) {
  await widget(page, '.launcher').click();
  await widget(page, 'textarea').waitFor();
}

/**
 * Ask a question, and open the panel first if necessary.
 * @param {Page} page
 * @param {string} [question]
 */
export async function ask(page, question = 'How are failed jobs retried?') {
  if (await widget(page, '.launcher').isVisible()) await openChat(page);
  await widget(page, 'textarea').fill(question);
  await page.keyboard.press('Enter');
}

/** @param {Page} page */
export async function answered(page) {
  await widget(page, '.turn').last().locator('.actions').waitFor();
}

/**
 * Ask and wait for the whole answer.
 * @param {Page} page
 * @param {string} [question]
 */
export async function askAndWait(page, question) {
  await ask(page, question);
  await answered(page);
}

/**
 * Select an element's text as a reader does.
 * @param {Page} page
 * @param {string} selector
 */
export async function select(page, selector) {
  await page.evaluate((target) => {
    const range = document.createRange();
    range.selectNodeContents(/** @type {Node} */ (document.querySelector(target)));
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  }, selector);
}

/**
 * Check that an element is within the window, below sticky headers.
 * @param {Page} page
 * @param {string} selector
 */
export async function assertInView(page, selector) {
  const seen = await page.evaluate((target) => {
    const { top, bottom, left } = /** @type {Element} */ (document.querySelector(target)).getBoundingClientRect();
    const hit = document.elementFromPoint(left + 4, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && !!hit?.closest(target);
  }, selector);
  assert.ok(seen, `${selector} is in view`);
}

/**
 * Return the label, ID, class or tag of the focused element.
 * @param {Page} page
 */
export function focused(page) {
  return page.evaluate(() => {
    const outer = document.activeElement;
    const inner = outer?.shadowRoot?.activeElement ?? outer;
    return inner?.getAttribute('aria-label') ?? (inner?.id || inner?.className || inner?.tagName);
  });
}

/**
 * Wait until a value is as expected: the effects of a click may end after the click, above all with a dialog.
 * @template T
 * @param {() => Promise<T>} read
 * @param {T} expected
 */
export async function becomes(read, expected) {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!isDeepStrictEqual(await read(), expected) && Date.now() < deadline) await setTimeout(20);
  assert.deepEqual(await read(), expected);
}

/**
 * @param {Page} page
 * @param {string} name  As `focused` returns it.
 */
export const getsFocus = (page, name) => becomes(() => focused(page), name);

/**
 * Return the text of a highlight (CSS Custom Highlight API).
 * @param {Page} page
 * @param {string} name
 */
export function highlighted(page, name) {
  return page.evaluate((key) => [...(CSS.highlights.get(key) ?? [])].map(String).join('|'), name);
}
