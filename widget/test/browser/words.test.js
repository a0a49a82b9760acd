import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { answers, CITATIONS } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { askAndWait, assertInView, highlighted, leave, visit, widget } from '../support/reader.js';

/** Each marker of an answer lands on the words of its claim. */

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => { site = await startSite(); });
afterEach(() => leave(browser, site));

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * Ask for an answer whose claims are below one heading, and follow its last marker.
 * @param {string} anchor
 * @param {string[]} quotes  One for each claim and marker.
 * @param {import('playwright-core').BrowserContextOptions & {setUp?: () => void, marker?: number}} [options]
 */
async function follow(anchor, quotes, { marker = quotes.length - 1, ...options } = DESKTOP) {
  const citation = { ...CITATIONS[0], url: `/guide/words.html#${anchor}`, anchor, excerpt: quotes[0] };
  site.next(answers({ text: quotes.map((_, at) => `Claim ${at}. [1]\n\n`), citations: [citation],
    end: { claims: quotes.map((quote, at) => ({ text: `Claim ${at}.`, support: 'quoted', citations: [1], quote, markers: [at] })) } }));
  const visited = await visit(browser, `${site.url}/guide/words.html`, options);
  await askAndWait(visited.page);
  await widget(visited.page, '.cite').nth(marker).click();
  await visited.page.waitForFunction((id) => document.activeElement?.id === id, anchor);
  return visited;
}

/** @param {import('playwright-core').Page} page */
const cited = (page) => highlighted(page, 'pincite-cited');

/**
 * Check that all highlighted words are within the window, and not covered.
 * @param {import('playwright-core').Page} page
 */
function assertWordsInView(page) {
  return page.waitForFunction(() => {
    const ranges = /** @type {Range[]} */ ([...(CSS.highlights.get('pincite-cited') ?? [])]);
    return ranges.length > 0 && ranges.every((range) => [...range.getClientRects()].filter(({ width }) => width > 1)
      .every(({ left, top, bottom }) => {
        const hit = document.elementFromPoint(left + 2, (top + bottom) / 2);
        return top >= 0 && bottom <= innerHeight && range.startContainer.parentElement?.closest('p, pre, td')?.contains(hit);
      }));
  });
}

test('each of two markers of one section highlights the words of its own claim', async () => {
  const quotes = ['A worker takes one job at a time.', 'Set threads to let it take more.'];
  const { page } = await follow('workers', quotes);
  assert.equal(await cited(page), quotes[1]);
  await widget(page, '.cite').first().click();
  await page.waitForFunction((words) => String([...(CSS.highlights.get('pincite-cited') ?? [])][0]) === words, quotes[0]);
});

test('a claim of two sentences highlights both, and a mark of code is no word', async () => {
  const { page } = await follow('workers', ['A worker takes one job at a time. Set `threads` to let it take more.']);
  assert.equal(await cited(page), 'A worker takes one job at a time. Set threads to let it take more.');
});

test('a sentence that begins before its anchor is highlighted from its beginning', async () => {
  const words = 'Names of queues follow RFC 8941. This means that they are written in small letters.';
  const { page } = await follow('index-0', [words]);
  assert.equal(await cited(page), words);
});

test('words around a footnote mark are highlighted without it', async () => {
  const { page } = await follow('workers',
    ['The worker stops after the job at hand when it gets SIGTERM, and at once when it gets a second one.']);
  assert.equal(await cited(page), 'The worker stops after the job at hand when it gets SIGTERM|, and at once when it gets a second one.');
});

test('raised, struck-out and hidden words are highlighted as they are shown, and a formula is left out', async () => {
  const quotes = ['A tank holds 10⁶ litres of H₂O.', 'It costs ~~9 euros~~ 12 euros and lasts $\\frac{3}{4}$ years.', 'Clean it in May.'];
  const { page } = await follow('tank', quotes, { ...DESKTOP, marker: 0 });
  assert.equal(await cited(page), 'A tank holds 106 litres of H2O.');
  await widget(page, '.cite').nth(1).click();
  await page.waitForFunction(() => String([...(CSS.highlights.get('pincite-cited') ?? [])][0]).startsWith('It costs'));
  assert.equal(await cited(page), 'It costs 9 euros 12 euros and lasts|years.');
  await widget(page, '.cite').nth(2).click();
  await page.waitForFunction(() => String([...(CSS.highlights.get('pincite-cited') ?? [])][0]) === 'Clean it in May.');
});

test('code is highlighted without line numbers', async () => {
  const { page } = await follow('workers', ['queue.start()\nqueue.join()']);
  assert.equal((await cited(page)).replace(/\s/gu, ''), 'queue.start()|queue.join()');
});

test('code is highlighted without prompts, callouts and removed commands', async () => {
  const { page } = await follow('workers', ['queue open\nqueue seal\n queue close']);
  assert.equal((await cited(page)).replace(/\s/gu, ''), 'queueopen|queueseal|queueclose');
});

test('code in an element whose class names line numbers is highlighted', async () => {
  const { page } = await follow('workers', ['queue drain --wait']);
  assert.equal(await cited(page), 'queue drain --wait');
});

test('an ellipsis of the page is highlighted, and that of a truncated excerpt is ignored', async () => {
  const { page } = await follow('workers', ['A worker takes one job…', 'A queue may be named jobs, mails, reports, …']);
  assert.equal(await cited(page), 'A queue may be named jobs, mails, reports, …');
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => String([...(CSS.highlights.get('pincite-cited') ?? [])][0]) === 'A worker takes one job');
});

for (const [name, options] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test(`elements that hide words below an outer heading are opened: a tab, details, tabs of radio buttons, ${name}`, async () => {
    for (const words of ['The socket lies in the run folder.', 'The socket lies in the folder that you name.', 'Put it into the configuration of fish.']) {
      const { page } = await follow('systems', [words], options);
      assert.equal(await cited(page), words);
      await assertWordsInView(page);
      await assertInView(page, '#systems');
    }
  });

  test(`a tab is opened once the site's script handles it, even if that is late, ${name}`, async () => {
    const words = 'Put it into the configuration of fish.';
    const setUp = () => {
      let first = 0;
      addEventListener('click', (event) => {
        if (!(event.target instanceof HTMLInputElement)) return;
        first ||= performance.now();
        if (performance.now() - first < 900) event.preventDefault(); // No listener yet.
      }, true);
    };
    const { page } = await follow('systems', [words], { ...options, setUp });
    await page.waitForFunction(() => [...CSS.highlights.get('pincite-cited') ?? []]
      .some((range) => range instanceof Range && range.getBoundingClientRect().height > 0));
    await assertWordsInView(page);
  });

  test(`words far below their heading are in view, ${name}`, async () => {
    const { page } = await follow('limits', ['The largest job is 4 MB.'], options);
    assert.equal(await cited(page), 'The largest job is 4 MB.');
    await assertWordsInView(page);
  });

  test(`a sticky header covers neither the words nor their heading if the site sets no scroll margin, ${name}`, async () => {
    const { page } = await follow('workers', ['A worker takes one job at a time.'],
      { ...options, setUp: () => addEventListener('DOMContentLoaded', () => document.body.classList.add('unmarked')) });
    await assertWordsInView(page);
    await assertInView(page, '#workers');
  });

  test(`words stay in view when the content above them grows after the landing, ${name}`, async () => {
    const { page } = await follow('limits', ['The largest job is 4 MB.'], options);
    await page.evaluate(() => {
      document.documentElement.style.setProperty('overflow-anchor', 'none'); // Some browsers have no scroll anchoring.
      const late = document.createElement('canvas');
      late.height = 2000;
      document.querySelector('h1')?.after(late);
    });
    await assertWordsInView(page);
  });
}

test('on a page that is too wide for a phone, the words are in the visible part', async () => {
  const citation = { ...CITATIONS[0], url: '/guide/words.html#limits', anchor: 'limits', excerpt: 'Limits are many' };
  site.next(answers({ text: ['A claim. [1]'], citations: [citation] }));
  const { page } = await visit(browser, `${site.url}/guide/retries.html`, { ...PHONE, setUp: () => addEventListener('DOMContentLoaded', () => {
    const wide = /** @type {Element} */ (document.querySelector('article')).appendChild(document.createElement('div'));
    wide.style.cssText = 'width: 600px; height: 10px';
  }) });
  await page.waitForFunction(() => innerHeight > Number(visualViewport?.height));
  await page.evaluate(() => /** @type {any} */ (document.querySelector('pincite-chat')).open());
  await askAndWait(page);
  await widget(page, '.cite').first().dispatchEvent('click');
  await page.waitForFunction(() => document.activeElement?.id === 'limits');
  await page.waitForFunction(() => {
    const { offsetTop, height } = /** @type {VisualViewport} */ (visualViewport);
    const [range] = /** @type {Range[]} */ ([...(CSS.highlights.get('pincite-cited') ?? [])]);
    const { top, bottom } = range?.getBoundingClientRect() ?? {};
    return top >= offsetTop && bottom <= offsetTop + height;
  });
});

test('words that the page replaces after the landing are highlighted again', async () => {
  const { page } = await follow('limits', ['The largest job is 4 MB.']);
  await page.evaluate(() => {
    const article = /** @type {Element} */ (document.querySelector('article'));
    for (const paragraph of article.querySelectorAll('p')) paragraph.replaceWith(paragraph.cloneNode(true));
  });
  await page.waitForFunction(() => String([...(CSS.highlights.get('pincite-cited') ?? [])][0]) === 'The largest job is 4 MB.');
});

test('a reader who scrolls on is not brought back', async () => {
  const { page } = await follow('limits', ['The largest job is 4 MB.']);
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, -4000);
  await page.waitForFunction(() => scrollY < 1500);
  await page.evaluate(() => document.querySelector('h1')?.after(document.createElement('canvas')));
  assert.ok(await page.evaluate(() => new Promise((resolve) => { setTimeout(() => resolve(scrollY), 400); })) < 1800);
});

test('without the landing module, the browser jumps to the place', async () => {
  const citation = { ...CITATIONS[0], url: '/guide/words.html#limits', anchor: 'limits' };
  site.next(answers({ text: ['A claim. [1]'], citations: [citation] }));
  const { page } = await visit(browser, `${site.url}/guide/words.html`);
  await askAndWait(page);
  await page.route('**/pincite-landing.js', (route) => route.abort());
  await widget(page, '.cite').click();
  await page.waitForFunction(() => (document.querySelector('#limits')?.getBoundingClientRect().top ?? -1) >= 0 && scrollY > 100);
  await assertInView(page, '#limits');
});
