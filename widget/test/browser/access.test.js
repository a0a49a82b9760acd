import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { answers, refuses } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { ask, askAndWait, button, focused, getsFocus, leave, openChat, select, visit, widget } from '../support/reader.js';
import { STATES as PICTURED } from '../support/states.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => { site = await startSite(); });
afterEach(() => leave(browser, site));

/** @typedef {import('playwright-core').Page} Page */

/** By class, because the page may be in any language. */
const STATES = {
  /** @param {Page} page */
  closed: async (page) => widget(page, '.launcher').waitFor(),
  open: openChat,
  /** @param {Page} page */
  'passage offered': async (page) => {
    await select(page, '#why + p');
    await widget(page, '.ask-this').waitFor();
  },
  /** @param {Page} page */
  asking: async (page) => {
    site.next(() => {});
    await ask(page);
    await widget(page, '.waiting').waitFor();
  },
  /** @param {Page} page */
  searching: (page) => PICTURED.searching(page, site),
  /** @param {Page} page */
  reading: (page) => PICTURED.reading(page, site),
  /** @param {Page} page */
  checking: (page) => PICTURED.checking(page, site),
  /** @param {Page} page */
  'refused after searches': (page) => PICTURED['refusal-searched'](page, site),
  /** @param {Page} page */
  'not covered': (page) => PICTURED.absent(page, site),
  /** @param {Page} page */
  answering: async (page) => {
    site.next(answers({ text: ['A failed job is **retried** [1]'], until: new Promise(() => {}) }));
    await ask(page);
    await widget(page, '.prose strong').waitFor();
  },
  /** @param {Page} page */
  answered: async (page) => {
    site.next(answers({ head: { notices: [{ code: 'x', message: 'Searched the latest version.' }] } }));
    await askAndWait(page);
    await widget(page, '.sources > .link-button').click();
    await widget(page, '.expand').first().click();
  },
  /** @param {Page} page */
  metadata: async (page) => {
    const failed = { passed: false, reasons: ['low_overlap'], used_fallback: false, confidence_score: 0.2, context_docs_count: 4 };
    site.next(answers({ end: { confidence_score: 0.2, validation_info: failed, learning_suggestions: ['Retries'] } }));
    await askAndWait(page);
    await widget(page, 'summary').click();
    await widget(page, '.meta dl').waitFor();
  },
  /** @param {Page} page */
  refused: async (page) => {
    site.next(refuses());
    await ask(page);
    await widget(page, '.refusal').waitFor();
  },
  /** @param {Page} page */
  'asked why': async (page) => {
    site.always('/api/feedback', { comments_kept: true });
    site.next(refuses());
    await ask(page);
    await widget(page, '.vote').last().click();
    await widget(page, '.why textarea').fill('x'.repeat(1001));
  },
  /** @param {Page} page */
  'too long': async (page) => {
    await openChat(page);
    const { width } = page.viewportSize() ?? { width: 0 };
    if (width >= 1000) await widget(page, '.dock').click();
    await widget(page, 'textarea').fill('x'.repeat(2001));
  },
  /** @param {Page} page */
  failed: async (page) => {
    await ask(page);
    await widget(page, '.failure').waitFor();
  },
  /** @param {Page} page */
  'cut off': async (page) => {
    site.next(async (reply) => {
      reply.startStream();
      reply.event('answer_start', { built_at: '2026-11-12T08:00:00Z' });
      reply.event('answer_delta', { text: 'A failed job is **retried**.' });
      await widget(page, '.prose strong').waitFor();
      reply.drop();
    });
    await ask(page);
    await widget(page, '.failure').waitFor();
    await widget(page, '.prose strong').waitFor();
  },
  /** @param {Page} page */
  'selection mode': async (page) => {
    site.next(answers({ head: { mode: 'selection' } }));
    await select(page, '#why + p');
    await widget(page, '.ask-this').click();
    await widget(page, '.selection').waitFor();
    await askAndWait(page);
  },
  /** @param {Page} page */
  'no history': async (page) => {
    await openChat(page);
    await showHistory(page);
    await widget(page, '.empty-history').waitFor();
  },
  /** @param {Page} page */
  history: async (page) => {
    site.next(answers());
    await askAndWait(page);
    await showHistory(page);
    await widget(page, '.session').waitFor();
  },
};

/** @param {Page} page */
const showHistory = (page) => widget(page, '.header .icon-button').nth(2).click();

/**
 * axe does not read colours behind a gradient. The panel's gradient has one colour over an opaque one, since a site's may be
 * translucent. On this page both are the same.
 */
function flatten() {
  const flat = new CSSStyleSheet();
  flat.replaceSync('pincite-chat::part(panel) { background: light-dark(#fff, #1e1f22); }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, flat];
}

/** @param {any[]} rules */
const findings = (rules) => rules.flatMap(({ id, nodes }) => (
  nodes.map((/** @type {any} */ { html, any }) => [id, html, any.map((/** @type {any} */ { message }) => message)])));

/** The rules about colours; nothing else differs in the dark theme. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * @param {Page} page
 * @param {string} look  For the message.
 * @param {string[]} [rules]  All when left out.
 */
async function assertAccessible(page, look, rules) {
  const { violations, incomplete } = await page.evaluate((values) => (
    /** @type {any} */ (window).axe.run('pincite-chat', values ? { runOnly: { type: 'rule', values } } : {})), rules);
  assert.deepEqual(findings(violations), [], look);
  assert.deepEqual(findings(incomplete), [], `axe could judge everything: ${look}`);
}

/**
 * @param {Page} page
 * @param {'ltr' | 'rtl'} direction
 */
const turn = (page, direction) => widget(page, 'div[dir]').first().evaluate((frame, dir) => frame.setAttribute('dir', dir), direction);

/**
 * The page in a state, ready for axe.
 * @param {(page: Page) => Promise<unknown>} reach
 * @param {string} query
 * @param {object} options
 */
async function visitIn(reach, query, options) {
  const { page } = await visit(browser, `${site.url}/guide/retries.html${query}`, options);
  await reach(page);
  await page.evaluate(AXE);
  await page.evaluate(flatten);
  return page;
}

for (const [state, reach] of Object.entries(STATES)) {
  test(`axe finds nothing beside the page, in light, dark and from right to left: ${state}`, async () => {
    const page = await visitIn(reach, '', {});
    await assertAccessible(page, 'light');
    await page.evaluate(() => { document.documentElement.dataset.theme = 'dark'; });
    await assertAccessible(page, 'dark', COLOURS);
    await turn(page, 'rtl');
    await assertAccessible(page, 'right to left');
  });

  test(`axe finds nothing on a phone, in Persian and from left to right: ${state}`, async () => {
    const page = await visitIn(reach, '?lang=fa', PHONE);
    await assertAccessible(page, 'Persian');
    await turn(page, 'ltr');
    await assertAccessible(page, 'left to right');
  });
}

test('a conversation works with only the keyboard', async () => {
  site.next(answers());
  const { page } = await visit(browser, `${site.url}/guide/retries.html`);
  await page.keyboard.press('Control+i');
  await widget(page, 'textarea').waitFor();
  await page.keyboard.type('How are failed jobs retried?');
  await page.keyboard.press('Enter');
  await widget(page, '.actions').waitFor();
  await getsFocus(page, 'Your question');
  for (let step = 0; step < 40 && await focused(page) !== 'Source 1: Exponential backoff'; step += 1) await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
});

test('Shift+Enter breaks the line, Enter sends', async () => {
  site.next(answers());
  const { page } = await visit(browser, `${site.url}/guide/retries.html`);
  await openChat(page);
  await page.keyboard.type('one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Enter');
  await widget(page, '.actions').waitFor();
  assert.equal(site.received[0].body.query, 'one\ntwo');
});

test('an answer is announced to screen readers once, with its words and the number of sources', async () => {
  site.next(answers({ pause: 30 }));
  const { page } = await visit(browser, `${site.url}/guide/retries.html`);
  await openChat(page);
  await widget(page, '[role=status]').evaluate((status) => {
    const said = /** @type {any} */ (window).said = /** @type {string[]} */ ([]);
    new MutationObserver(() => said.push(status.textContent ?? '')).observe(status, { childList: true });
  });
  await askAndWait(page);
  const said = await page.evaluate(() => /** @type {any} */ (window).said);
  assert.equal(said.length, 2);
  assert.equal(said[0], 'Searching Acme Docs…');
  assert.match(said[1], /^Answer: A failed job is retried.+4 sources\.$/su);
});

test('the accessibility tree reads as a conversation', async () => {
  site.next(answers());
  const { page } = await visit(browser, `${site.url}/guide/retries.html`);
  await askAndWait(page);
  const tree = await widget(page, 'dialog').ariaSnapshot();
  for (const part of ['dialog "Ask Acme Docs"', 'heading "Ask Acme Docs" [level=2]', 'log "Ask Acme Docs"', 'article', 'link "Source 1: Exponential backoff"',
    'heading "Sources" [level=3]', 'button "Copy answer"', 'button "Copy link to this question"', 'textbox "Your question"', 'button "Send"']) {
    assert.ok(tree.includes(part), `${part} in\n${tree}`);
  }
});

test('on a phone the sheet is modal and covers the window', async () => {
  const { page } = await visit(browser, `${site.url}/guide/retries.html`, PHONE);
  await openChat(page);
  assert.equal(await widget(page, 'dialog').evaluate((dialog) => dialog.matches(':modal')), true);
  const box = await widget(page, 'dialog').boundingBox();
  assert.deepEqual([box?.x, box?.y, box?.width, box?.height], [0, 0, 390, 844]);
  await page.keyboard.press('Escape');
  assert.equal(await widget(page, 'dialog[open]').count(), 0);
});

test('the page does not shift when the widget starts or opens', async () => {
  const { page } = await visit(browser, `${site.url}/guide/retries.html`);
  await openChat(page);
  const shifts = await page.evaluate(() => new Promise((resolve) => {
    const began = performance.now();
    /** @type {boolean[]} */
    const seen = []; // For each shift, whether this test caused it to check the observer.
    new PerformanceObserver((list) => {
      seen.push(...list.getEntries().map(({ startTime }) => startTime >= began));
      if (seen.includes(true)) resolve(seen);
    }).observe({ type: 'layout-shift', buffered: true });
    const spacer = document.createElement('div');
    spacer.style.height = '200px';
    document.body.prepend(spacer);
  }));
  assert.deepEqual(shifts, [true]);
});

for (const [language, send] of [['vi', 'Gửi'], ['zh-Hans', '发送'], ['de', 'Senden'], ['fr', 'Envoyer'], ['es', 'Enviar'], ['ja', '送信'], ['fa', 'ارسال'],
  ['ko', '보내기'], ['pt-BR', 'Enviar'], ['pt-PT', 'Enviar'], ['ru', 'Отправить'], ['zh-TW', '傳送'], ['zh-HK', '傳送']]) {
  test(`a page in ${language} has the chat in that language`, async () => {
    const { page, complaints } = await visit(browser, `${site.url}/guide/retries.html?lang=${language}`);
    await openChat(page);
    assert.equal(await button(page, send).isVisible(), true);
    assert.deepEqual(complaints, []);
  });
}
