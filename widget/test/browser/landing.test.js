import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { answers } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { askAndWait, assertInView, getsFocus, highlighted, leave, visit, widget } from '../support/reader.js';

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

const open = (options = {}) => visit(browser, `${site.url}/guide/retries.html`, options);

test('a citation lands on its heading, which is in view and has the focus, with the cited words highlighted', async () => {
  const { page, complaints } = await open();
  await askAndWait(page);
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  await assertInView(page, '#backoff');
  assert.equal(await highlighted(page, 'pincite-cited'), 'A failed job is retried with exponential backoff, starting at two seconds.');
  assert.equal(new URL(page.url()).hash, '#backoff');
  assert.equal(await widget(page, 'dialog[open]').count(), 1);
  assert.deepEqual(complaints, []);
});

test('cited words are in view even if a part of them is in another tab', async () => {
  const { page } = await open();
  await askAndWait(page);
  await page.evaluate(() => {
    const words = /** @type {HTMLElement} */ (document.querySelector('#backoff ~ p'));
    const [hidden, above, copy] = ['span', 'div', 'button'].map((name) => document.createElement(name));
    copy.textContent = 'Copy';
    hidden.textContent = 'backoff, starting at two seconds.';
    hidden.style.display = 'none';
    above.style.height = '3000px';
    words.replaceChildren('A failed job is retried with exponential ', copy, hidden); // Two ranges; the second has no box.
    document.getElementById('backoff')?.before(above);
  });
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  await assertInView(page, '#backoff');
  await assertInView(page, '#backoff ~ p');
});

test('a reader who begins to type before the landing keeps the focus', async () => {
  const { page } = await open();
  await askAndWait(page);
  const heading = await page.evaluateHandle(() => {
    const late = /** @type {HTMLElement} */ (document.getElementById('backoff'));
    late.id = '';
    return late;
  });
  await widget(page, '.cite').first().click();
  await widget(page, 'textarea').focus();
  await heading.evaluate((late) => { late.id = 'backoff'; });
  await page.waitForFunction(() => CSS.highlights.get('pincite-cited'));
  await page.keyboard.type('and then');
  assert.equal(await widget(page, 'textarea').inputValue(), 'and then');
});

test('a click removes the highlight, and a second landing replaces it', async () => {
  const { page } = await open();
  await askAndWait(page);
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  await page.mouse.click(400, 500);
  assert.equal(await highlighted(page, 'pincite-cited'), '');
  await widget(page, '.cite').nth(1).click();
  await page.waitForFunction(() => document.activeElement?.id === 'max-attempts');
  assert.match(await highlighted(page, 'pincite-cited'), /max_attempts/u);
});

test('a citation inside closed details opens them first, and marks a table row across its cells', async () => {
  const { page } = await open();
  await askAndWait(page);
  await widget(page, '.cite').nth(1).click();
  await page.waitForFunction(() => document.activeElement?.id === 'max-attempts');
  await assertInView(page, '#max-attempts');
  assert.equal(await page.locator('main > article > details').getAttribute('open'), '');
  assert.match(await highlighted(page, 'pincite-cited'), /How often a job is tried/u);
});

test('a citation on another page loads it, opens the tab, lands there, and the conversation is still open', async () => {
  const { page, complaints } = await open();
  await askAndWait(page);
  await widget(page, '.citation-title').filter({ hasText: 'Installing on Linux' }).click();
  await page.waitForURL('**/install.html#linux');
  await page.waitForFunction(() => document.activeElement?.id === 'linux');
  await assertInView(page, '#linux');
  assert.equal(await page.locator('[role=tab][aria-selected=true]').innerText(), 'Linux');
  assert.equal(await highlighted(page, 'pincite-cited'), 'On Linux the service is started with systemd.');
  assert.match(await widget(page, '.prose').innerText(), /exponential backoff/u);
  assert.deepEqual(complaints, []);
});

/** A page that hydrates: `drawAnew` replaces its tabs with closed ones. */
function hydrates() {
  addEventListener('DOMContentLoaded', () => {
    const tabs = () => document.querySelector('[role=tablist]')?.parentElement;
    const fresh = /** @type {Node | undefined} */ (tabs()?.cloneNode(true));
    /** @type {any} */ (globalThis).drawAnew = () => {
      tabs()?.replaceWith(/** @type {Node} */ (fresh?.cloneNode(true)));
      document.documentElement.classList.add('drawn-anew');
    };
  });
}

/** Tabs that are clicked before hydration, which replaces them and ignores the click. */
function hydratesWhenClicked() {
  addEventListener('click', (event) => {
    if (!(/** @type {Element} */ (event.target).matches('[role=tab]')) || document.documentElement.matches('.alive')) return;
    document.documentElement.classList.add('alive');
    event.stopImmediatePropagation();
    setTimeout(() => /** @type {any} */ (globalThis).drawAnew(), 100);
  }, true);
}

/** A page whose script blocks a slow device after the landing, and then replaces the content. */
function hydratesAfterTheLanding() {
  addEventListener('focusin', (event) => {
    if (/** @type {Element} */ (event.target).id !== 'linux' || document.documentElement.matches('.alive')) return;
    document.documentElement.classList.add('alive');
    setTimeout(() => {
      for (const begin = performance.now(); performance.now() - begin < 3500;);
      /** @type {any} */ (globalThis).drawAnew();
    }, 100);
  });
}

/**
 * Follow a citation into the closed tab of another page.
 * @param {() => void} [life]  The script of that page.
 */
async function followIntoTab(life) {
  const { page, context } = await open({ setUp: hydrates });
  if (life) await context.addInitScript(life);
  await askAndWait(page);
  await widget(page, '.citation-title').filter({ hasText: 'Installing on Linux' }).click();
  await page.waitForURL('**/install.html#linux');
  return page;
}

/** @param {import('playwright-core').Page} page */
async function assertLandedInTab(page) {
  await page.waitForFunction(() => document.activeElement?.id === 'linux');
  await assertInView(page, '#linux');
  assert.equal(await page.locator('[role=tab][aria-selected=true]').innerText(), 'Linux');
  assert.equal(await highlighted(page, 'pincite-cited'), 'On Linux the service is started with systemd.');
  const { top, bottom } = await page.evaluate(() => /** @type {Range} */ ([...(CSS.highlights.get('pincite-cited') ?? [])][0]).getBoundingClientRect());
  assert.ok(bottom > top, 'what is highlighted is on the page');
}

for (const [when, life] of Object.entries({ 'while the tab is opened': hydratesWhenClicked, 'long after the landing': hydratesAfterTheLanding })) {
  test(`a place that the page replaces ${when} is landed on again: tab open, words highlighted, focus there`, async () => {
    const page = await followIntoTab(life);
    await page.waitForFunction(() => document.documentElement.matches('.drawn-anew') && document.getElementById('linux')?.offsetParent);
    await assertLandedInTab(page);
  });
}

test('a reader who scrolled away is not brought back when the page replaces the place', async () => {
  const page = await followIntoTab();
  await assertLandedInTab(page);
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 10);
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); }));
  await page.evaluate(() => /** @type {any} */ (globalThis).drawAnew());
  await page.waitForTimeout(400);
  assert.equal(await page.locator('#linux').isVisible(), false);
  assert.notEqual(await page.evaluate(() => document.activeElement?.id), 'linux');
});

test('a reader who goes back at once stays where they were', async () => {
  const { page } = await open();
  await askAndWait(page);
  await page.evaluate(() => {
    const above = document.createElement('canvas');
    above.height = 3000;
    document.getElementById('backoff')?.before(above);
  });
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff' && scrollY > 1000);
  await page.evaluate(() => history.back());
  await page.waitForFunction(() => scrollY === 0);
  await page.waitForTimeout(400);
  assert.equal(await page.evaluate(() => scrollY), 0);
});

test("within the site, the site's router navigates, and the landing waits for its page", async () => {
  const { page } = await open();
  await page.evaluate(() => {
    const chat = /** @type {any} */ (document.querySelector('pincite-chat'));
    chat.navigate = async (/** @type {string} */ url) => {
      history.pushState(null, '', url);
      setTimeout(() => {
        const heading = document.createElement('h2');
        heading.id = 'linux';
        heading.textContent = 'Installing on Linux';
        document.querySelector('article')?.replaceChildren(heading);
        chat.routeChanged();
      }, 200);
      return true;
    };
    document.title = 'not reloaded';
  });
  await askAndWait(page);
  await widget(page, '.citation-title').filter({ hasText: 'Installing on Linux' }).click();
  await page.waitForFunction(() => document.activeElement?.id === 'linux');
  assert.equal(new URL(page.url()).pathname, '/guide/install.html');
  assert.equal(await page.title(), 'not reloaded');
});

test('the browser handles a modified click', async () => {
  const { page, context } = await open();
  await askAndWait(page);
  const [opened] = await Promise.all([context.waitForEvent('page'), widget(page, '.cite').first().click({ modifiers: ['ControlOrMeta'] })]);
  await opened.waitForURL(`${site.url}/guide/retries.html#backoff`); // A tab may start empty.
  assert.equal(new URL(page.url()).hash, '');
});

test('the site can take a citation over by cancelling its event', async () => {
  const { page } = await open();
  await page.evaluate(() => document.querySelector('pincite-chat')?.addEventListener('pincite-citation', (event) => {
    event.preventDefault();
    document.title = /** @type {CustomEvent} */ (event).detail.stableId;
  }));
  await askAndWait(page);
  await widget(page, '.cite').first().click();
  assert.equal(await page.title(), 'docs/retries#backoff');
  assert.equal(new URL(page.url()).hash, '');
});

test('the panel becomes shorter if it would cover the cited words, until the reader uses it again', async () => {
  const { page } = await open({ viewport: { width: 900, height: 700 } });
  await askAndWait(page);
  const height = async () => (await widget(page, 'dialog').boundingBox())?.height ?? 0;
  const before = await height();
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.querySelector('pincite-chat')?.shadowRoot?.querySelector('dialog.short'));
  const words = await page.evaluate(() => /** @type {Range} */ ([...(CSS.highlights.get('pincite-cited') ?? [])][0]).getBoundingClientRect().toJSON());
  const panel = await widget(page, 'dialog').boundingBox();
  assert.ok(words.top >= 0 && words.bottom <= (panel?.y ?? 0), JSON.stringify([words, panel]));
  await assertInView(page, '#backoff');
  await widget(page, 'textarea').click();
  assert.equal(await height(), before);
});

test('on a phone the sheet closes to show the cited place', async () => {
  const { page } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await askAndWait(page);
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  assert.equal(await widget(page, 'dialog[open]').count(), 0);
  await assertInView(page, '#backoff');
  await getsFocus(page, 'backoff');
});

test('without text highlighting, the element is marked', async () => {
  const { page } = await open({ setUp: () => { Object.defineProperty(CSS, 'highlights', { value: undefined }); } });
  await askAndWait(page);
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  assert.notEqual(await page.locator('#backoff').evaluate((heading) => getComputedStyle(heading).outlineStyle), 'none');
});
