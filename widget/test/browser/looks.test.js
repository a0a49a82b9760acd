/** The appearance with readers' settings: forced colours, zoom, reduced motion, print. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { answers, STATUS, streams } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { ask, askAndWait, button, leave, visit, widget } from '../support/reader.js';
import { STATES } from '../support/states.js';

/** The states with the most parts. */
const FULL = ['details', 'selection', 'history'];

/** A window of 1280 × 720 at 200 %, and what WCAG's reflow asks for: 1280 × 1024 at 400 %.
 * @type {[string, object, string[]][]} */
const ZOOMS = [
  ['200 %', { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }, Object.keys(STATES)],
  ['400 %', { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }, FULL],
];

/** Minimum height of a readable conversation, in CSS pixels. */
const READABLE = 64;

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => { site = await startSite(); });
afterEach(() => leave(browser, site));

const open = (options = {}) => visit(browser, `${site.url}/guide/retries.html`, options);

/**
 * Return the elements outside of the window or their box, or without size.
 * @param {import('playwright-core').Page} page
 */
function misplaced(page) {
  return page.evaluate(() => {
    const root = /** @type {ShadowRoot} */ (document.querySelector('pincite-chat')?.shadowRoot);
    const shown = [...root.querySelectorAll('button, textarea, a, p, h2, .log, .history, .panel')].filter((element) => (
      element.checkVisibility() && !element.closest('.visually-hidden')));
    const bad = shown.filter((element) => {
      const { left, right, width, height } = element.getBoundingClientRect();
      const scrolls = element.closest('pre, .table') !== null;
      return width < 1 || height < 1 || (!scrolls && (left < -0.5 || right > innerWidth + 0.5));
    });
    const wide = shown.filter((element) => element.matches('.log, .history, .panel') && element.scrollWidth > element.clientWidth);
    return [...bad, ...wide].map((element) => `${element.tagName}.${element.className}`);
  });
}

for (const [zoom, options, states] of ZOOMS) {
  for (const state of states) {
    test(`at ${zoom} nothing is cut off: ${state}`, async () => {
      const { page } = await open(options);
      await STATES[state](page, site);
      assert.deepEqual(await misplaced(page), []);
      const log = widget(page, 'dialog[open] .log');
      if (await log.isVisible()) assert.ok(((await log.boundingBox())?.height ?? 0) >= READABLE);
    });
  }
}

for (const state of ['launcher', 'ask-about-this', 'reading', 'refusal-searched', ...FULL]) {
  test(`in forced colours no control vanishes into its background: ${state}`, async () => {
    const { page } = await open({ forcedColors: 'active' });
    await STATES[state](page, site);
    const vanished = await page.evaluate(() => {
      const root = /** @type {ShadowRoot} */ (document.querySelector('pincite-chat')?.shadowRoot);
      const canvas = getComputedStyle(document.body).backgroundColor;
      const ground = (/** @type {Element | null} */ element) => {
        for (let box = element; box; box = box.parentElement) {
          const { backgroundColor } = getComputedStyle(box);
          if (!backgroundColor.endsWith(', 0)')) return backgroundColor;
        }
        return canvas;
      };
      return [...root.querySelectorAll('button, a, textarea, svg')].filter((element) => element.checkVisibility())
        .filter((element) => getComputedStyle(element).color === ground(element)).map((element) => element.outerHTML);
    });
    assert.deepEqual(vanished, []);
    assert.deepEqual(await misplaced(page), []);
  });
}

test('in forced colours the keyboard shows where it is, on every control', async () => {
  site.next(answers());
  const { page } = await open({ forcedColors: 'active' });
  await askAndWait(page);
  const seen = new Set();
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Shift+Tab');
    const [name, marked] = await page.evaluate(() => {
      const element = document.querySelector('pincite-chat')?.shadowRoot?.activeElement;
      if (!element) return ['', true];
      // A radio's label, a field.
      const boxes = [element, element.nextElementSibling, element.parentElement].filter((box) => box !== null);
      const outlined = boxes.some((box) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(box);
        return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
      });
      return [element.outerHTML.slice(0, 120), outlined];
    });
    seen.add(name);
    assert.ok(marked, String(name));
  }
  assert.ok(seen.size > 10);
});

test('in forced colours a vote, the mode and the cited words are marked by more than a colour of the site', async () => {
  site.next(answers());
  const { page } = await open({ forcedColors: 'active' });
  await askAndWait(page);
  const outline = (/** @type {import('playwright-core').Locator} */ locator) =>
    locator.evaluate((element) => getComputedStyle(element).outlineStyle);
  assert.equal(await outline(button(page, 'Helpful')), 'none');
  await button(page, 'Helpful').click();
  await page.mouse.move(0, 0);
  assert.equal(await outline(button(page, 'Helpful')), 'solid');
  assert.equal(await outline(widget(page, '.mode input:checked + span')), 'solid');
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  const [mark, ground] = await page.evaluate(() => [
    getComputedStyle(/** @type {Element} */ (document.activeElement), '::highlight(pincite-cited)').backgroundColor,
    getComputedStyle(document.body, '::selection').backgroundColor]);
  assert.notEqual(mark, ground);
});

test('the chat is not printed', async () => {
  site.next(answers());
  const { page } = await open();
  await askAndWait(page);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await widget(page, 'dialog').isVisible(), false);
  assert.equal(await widget(page, '.launcher').isVisible(), false);
  assert.equal(await page.locator('main').isVisible(), true);
});

test('nothing is animated for readers who prefer reduced motion', async () => {
  site.next(streams(['status', STATUS.reading])); // No answer: the chat is waiting.
  const { page } = await open({ reducedMotion: 'reduce' });
  await ask(page);
  await widget(page, '.waiting .status').waitFor();
  const running = () => page.evaluate(() => document.querySelector('pincite-chat')?.shadowRoot?.getAnimations().length);
  assert.equal(await running(), 0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.waitForFunction(() => (document.querySelector('pincite-chat')?.shadowRoot?.getAnimations().length ?? 0) > 0);
});
