/** Status events: the progress that a sidecar with a language model reports. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { ANSWER, answers, CITATIONS, driven, END, REFUSAL, SEARCHED, STATUS, streams } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { answered, ask, askAndWait, becomes, button, leave, openChat, visit, widget } from '../support/reader.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {[name: string, data: object]} Sent */

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const READING = 'Reading: Retries › Exponential backoff · Retries › Options › max_attempts and 10 more';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => { site = await startSite(); });
afterEach(() => leave(browser, site));

const open = (query = '', options = {}) => visit(browser, `${site.url}/guide/retries.html${query}`, options);
const line = (/** @type {Page} */ page) => widget(page, '.waiting');
const prose = (/** @type {Page} */ page) => widget(page, '.prose');
const shows = (/** @type {Page} */ page, /** @type {string} */ text) => becomes(() => line(page).textContent(), text);

/**
 * Ask, with a stream that the test drives.
 * @param {Page} page
 */
async function askDriven(page) {
  const { script, stream } = driven();
  site.next(script);
  await ask(page);
  return stream;
}

/** Each phase of an answer: the events that lead to it, the text that is shown in it, the answer that has arrived.
 * @type {Record<string, {events: Sent[], text: string | null, arrived: string}>} */
const PHASES = {
  searching: { events: [['status', STATUS.searching]],
    text: 'Searching for: retry failed jobs · exponential backoff · max_attempts', arrived: '' },
  reading: { events: [['status', STATUS.searching], ['status', STATUS.reading]], text: READING, arrived: '' },
  writing: { events: [['status', STATUS.reading], ['answer_start', {}], ['answer_delta', { text: 'A failed job is retried. ' }]],
    text: null, arrived: 'A failed job is retried.' },
  checking: { events: [['status', STATUS.reading], ['answer_start', {}], ['answer_delta', { text: 'A failed job is retried. ' }], ['status', STATUS.checking]],
    text: 'Checking the last sentences…', arrived: 'A failed job is retried.' },
};

/**
 * @param {Page} page
 * @param {string} phase
 */
async function inPhase(page, phase) {
  const { text, arrived } = PHASES[phase];
  if (text) await shows(page, text);
  else await becomes(() => line(page).count(), 0);
  await becomes(() => prose(page).innerText(), arrived);
}

test('the line shows the queries, then the section titles with a count of the rest, and then the answer replaces it', async () => {
  const { page, complaints } = await open();
  const stream = await askDriven(page);
  await shows(page, 'Searching Acme Docs…');
  stream.event('status', STATUS.asked);
  await shows(page, 'Searching for: How are failed jobs retried?');
  stream.event('status', STATUS.searching);
  await shows(page, 'Searching for: retry failed jobs · exponential backoff · max_attempts');
  stream.event('status', STATUS.reading);
  await shows(page, READING);
  stream.event('status', { phase: 'reading', titles: ['Retries', 'Install'] });
  await shows(page, 'Reading: Retries · Install');
  stream.event('answer_start', {});
  stream.event('answer_delta', { text: ANSWER[0] });
  await becomes(() => line(page).count(), 0);
  assert.deepEqual(complaints, []);
});

test('the last status stays until the first words of the answer arrive', async () => {
  const { page } = await open();
  const stream = await askDriven(page);
  stream.event('status', STATUS.reading);
  await shows(page, READING);
  stream.event('answer_start', {});
  await widget(page, '.badge').waitFor();
  assert.equal(await line(page).textContent(), READING);
});

test('a status without a list or with an unknown phase leaves the line unchanged', async () => {
  const { page, complaints } = await open();
  const stream = await askDriven(page);
  for (const phase of ['searching', 'reading', 'thinking', 'constructor']) stream.event('status', { phase });
  stream.event('status', { phase: 'reading', titles: ['Retries'] });
  await shows(page, 'Reading: Retries');
  for (const phase of ['reading', 'thinking', 'constructor']) {
    stream.event('status', { phase });
    stream.event('answer_start', { built_at: new Date().toISOString() });
    await widget(page, '.badge').waitFor();
    await shows(page, 'Reading: Retries');
  }
  assert.deepEqual(complaints, []);
});

test('each query has its own text direction, and markup in it is not run', async () => {
  const attack = '<img src=x onerror="window.hacked=1">';
  const { page, complaints } = await open();
  const stream = await askDriven(page);
  stream.event('status', { phase: 'searching', queries: ['مدت اجاره', attack] });
  await shows(page, `Searching for: مدت اجاره · ${attack}`);
  const quoted = () => widget(page, '.waiting bdi').evaluateAll((texts) => texts.map((text) => [text.getAttribute('dir'), getComputedStyle(text).direction]));
  assert.deepEqual(await quoted(), [['auto', 'rtl'], ['auto', 'ltr']]);
  stream.event('refusal', { ...REFUSAL, searched: ['مدت اجاره', attack] });
  await widget(page, '.refusal bdi[dir=auto]').filter({ hasText: attack }).waitFor();
  assert.equal(await widget(page, 'img').count(), 0);
  assert.equal(await page.evaluate(() => 'hacked' in window), false);
  assert.deepEqual(complaints, []);
});

for (const [look, query, options] of /** @type {[string, string, object][]} */ ([['beside the page', '', {}], ['on a phone', '', PHONE],
  ['from right to left', '?lang=fa', PHONE]])) {
  test(`the line has the same height in every phase, and the count of further titles is never cut off: ${look}`, async () => {
    const { page } = await open(query, options);
    const stream = await askDriven(page);
    await line(page).waitFor();
    const height = async () => (await line(page).boundingBox())?.height;
    const first = await height();
    const long = 'How long is a lease, and who may renew it before it ends? '.repeat(4).trim();
    for (const status of [{ phase: 'searching', queries: [long, 'one\ntwo', long] }, { phase: 'reading', titles: Array(12).fill(long) }]) {
      stream.event('status', status);
      await widget(page, '.waiting bdi').nth(status.queries ? 2 : 1).waitFor();
      await becomes(() => widget(page, '.waiting bdi').count(), status.queries ? 3 : 2);
      assert.equal(await height(), first);
    }
    const inside = await line(page).evaluate((element) => {
      const range = document.createRange();
      range.selectNode(/** @type {Node} */ (element.lastElementChild?.lastChild));
      const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      return text.width > 20 && text.left >= box.left - 0.5 && text.right <= box.right + 0.5;
    });
    assert.equal(inside, true);
  });
}

test('in the phase "checking" the text stays, and the line below it stays until the sources arrive', async () => {
  const { page } = await open();
  const stream = await askDriven(page);
  stream.event('answer_start', {});
  stream.event('answer_delta', { text: 'First [docs](/guide/install.html). ' });
  await widget(page, '.prose a[href]').waitFor();
  const link = await widget(page, '.prose a[href]').elementHandle();
  const place = await link?.boundingBox();
  stream.event('status', STATUS.checking);
  await widget(page, '.prose + .waiting').waitFor();
  await shows(page, 'Checking the last sentences…');
  stream.event('answer_delta', { text: 'Second sentence. [1]' });
  await becomes(() => prose(page).innerText(), 'First docs. Second sentence.');
  await shows(page, 'Checking the last sentences…');
  stream.event('sources', { citations: CITATIONS });
  await widget(page, '.citation').first().waitFor();
  assert.equal(await line(page).count(), 0);
  stream.event('answer_end', END);
  await answered(page);
  assert.deepEqual(await link?.boundingBox(), place);
});

test('a status after text keeps the text, and the next words replace the line', async () => {
  const { page } = await open();
  const stream = await askDriven(page);
  stream.event('answer_start', {});
  stream.event('answer_delta', { text: 'First sentence. ' });
  await widget(page, '.prose p').waitFor();
  stream.event('status', STATUS.searching);
  await shows(page, PHASES.searching.text ?? '');
  assert.equal(await prose(page).innerText(), 'First sentence.');
  stream.event('answer_delta', { text: 'Second sentence. ' });
  await becomes(() => line(page).count(), 0);
  assert.equal(await prose(page).innerText(), 'First sentence. Second sentence.');
});

test('each phase is announced to screen readers once, and then the answer', async () => {
  const { page } = await open();
  await openChat(page);
  await widget(page, '[role=status]').evaluate((status) => {
    const said = /** @type {any} */ (window).said = /** @type {string[]} */ ([]);
    new MutationObserver(() => said.push(status.textContent ?? '')).observe(status, { childList: true });
  });
  const stream = await askDriven(page);
  const { asked, searching, reading, checking } = STATUS;
  for (const status of [asked, searching, reading]) stream.event('status', status);
  await shows(page, READING);
  for (const status of [searching, { phase: 'reading', titles: ['Retries'] }]) stream.event('status', status);
  await shows(page, 'Reading: Retries');
  stream.event('answer_start', {});
  stream.event('answer_delta', { text: ANSWER[0] });
  stream.event('status', checking);
  stream.event('status', checking);
  await shows(page, 'Checking the last sentences…');
  stream.event('sources', { citations: CITATIONS });
  stream.event('answer_end', END);
  stream.end();
  await becomes(() => page.evaluate(() => /** @type {any} */ (window).said.length), 4);
  const said = await page.evaluate(() => /** @type {any} */ (window).said);
  assert.deepEqual(said.slice(0, 3), ['Searching Acme Docs…', READING, 'Checking the last sentences…']);
  assert.match(said[3], /^Answer: A failed job is retried.+4 sources\.$/su);
  assert.equal(await line(page).count(), 0);
});

for (const [phase, { events, arrived }] of Object.entries(PHASES)) {
  test(`Stop works in the phase "${phase}", and the question can be sent again`, async () => {
    site.next(streams(...events));
    site.next(answers());
    const { page, complaints } = await open();
    await ask(page);
    await inPhase(page, phase);
    await button(page, 'Stop').click();
    assert.match(await widget(page, '.failure').innerText(), /^Stopped\./u);
    assert.equal(await line(page).count(), 0);
    assert.equal(await prose(page).innerText(), arrived);
    assert.equal(await widget(page, '.answer').getAttribute('aria-busy'), null);
    assert.equal(await button(page, 'Send').isVisible(), true);
    await button(page, 'Try again').click();
    await answered(page);
    assert.equal(await widget(page, '.failure, .waiting').count(), 0);
    assert.match(await prose(page).innerText(), /^A failed job is retried with exponential backoff/u);
    assert.deepEqual(site.received[1].body, site.received[0].body);
    assert.deepEqual(complaints, []);
  });

  test(`a dropped connection in the phase "${phase}" keeps the text so far, and a retry shows its own progress`, async () => {
    site.next(async (reply) => {
      streams(...events)(reply);
      await inPhase(page, phase);
      reply.drop();
    });
    const { page } = await open();
    await ask(page);
    await widget(page, '.failure').waitFor();
    assert.match(await widget(page, '.failure').innerText(), arrived ? /This is what had arrived/u : /before an answer arrived/u);
    assert.equal(await line(page).count(), 0);
    const { script, stream } = driven();
    site.next(script);
    await button(page, 'Try again').click();
    const again = await stream;
    await shows(page, 'Searching Acme Docs…');
    again.event('status', STATUS.reading);
    await shows(page, READING);
    assert.equal(await prose(page).innerText(), arrived);
    again.event('answer_start', {});
    await widget(page, '.badge').waitFor();
    await shows(page, READING);
    assert.equal(await prose(page).innerText(), '');
    again.event('answer_delta', { text: ANSWER[0] });
    again.event('sources', { citations: CITATIONS });
    again.event('answer_end', END);
    again.end();
    await answered(page);
    assert.match(await prose(page).innerText(), /^A failed job is retried with exponential backoff/u);
    assert.equal(await widget(page, '.failure, .waiting').count(), 0);
  });
}

test('a retry that is stopped before its answer keeps the text of the first try', async () => {
  site.next(async (reply) => {
    streams(...PHASES.writing.events)(reply);
    await inPhase(page, 'writing');
    reply.drop();
  });
  site.next(streams(['status', STATUS.searching]));
  const { page } = await open();
  await ask(page);
  await button(page, 'Try again').click();
  await shows(page, PHASES.searching.text ?? '');
  await button(page, 'Stop').click();
  assert.match(await widget(page, '.failure').innerText(), /^Stopped\./u);
  assert.equal(await prose(page).innerText(), PHASES.writing.arrived);
  assert.equal(await line(page).count(), 0);
});

for (const phase of ['searching', 'reading', 'checking']) {
  test(`a refusal in the phase "${phase}" replaces the line and the text, and lists the search queries`, async () => {
    site.next(async (reply) => {
      streams(...PHASES[phase].events)(reply);
      await inPhase(page, phase);
      reply.event('refusal', { ...REFUSAL, searched: SEARCHED });
      reply.end();
    });
    const { page, complaints } = await open();
    await ask(page, 'Who won the world cup?');
    await widget(page, '.refusal').waitFor();
    assert.deepEqual(await widget(page, '.refusal > p').allTextContents(),
      [REFUSAL.message, ...REFUSAL.reasons, `Searched for: ${SEARCHED.join(' · ')}`]);
    assert.deepEqual(await widget(page, '.refusal > p bdi[dir=auto]').allTextContents(), SEARCHED);
    assert.equal(await widget(page, '.waiting, .prose, .failure').count(), 0);
    assert.equal(await widget(page, '.citation').count(), 3);
    await button(page, 'Send').waitFor();
    await page.reload();
    await openChat(page);
    await widget(page, '.refusal').getByText('Searched for:').waitFor();
    assert.deepEqual(complaints, []);
  });
}

test('an error after a status replaces the line', async () => {
  site.next(async (reply) => {
    streams(['status', STATUS.reading])(reply);
    await inPhase(page, 'reading');
    reply.event('error', { code: 'internal_error', message: 'x' });
    reply.end();
  });
  const { page } = await open();
  await ask(page);
  assert.match(await widget(page, '.failure').innerText(), /^Something went wrong\./u);
  assert.equal(await line(page).count(), 0);
});

test('status lines are not stored, not drawn again and not copied', async () => {
  site.next(async (reply, received) => {
    streams(['status', STATUS.searching], ['status', STATUS.reading])(reply);
    await inPhase(page, 'reading');
    const { startStream: _, ...rest } = reply;
    await answers()({ ...rest, startStream: () => {} }, received);
  });
  const { page } = await open('', { permissions: ['clipboard-read', 'clipboard-write'] });
  const words = /retry failed jobs|Section 4|Searching|Reading/u;
  await askAndWait(page);
  const stored = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  assert.match(stored, /exponential backoff/u);
  assert.doesNotMatch(stored, words);
  await page.reload();
  await openChat(page);
  await answered(page);
  assert.doesNotMatch(await widget(page, '.log').innerText(), words);
  await button(page, 'Copy answer').click();
  await page.waitForFunction(async () => await navigator.clipboard.readText() !== '');
  assert.doesNotMatch(await page.evaluate(() => navigator.clipboard.readText()), words);
});

test('a status is dropped if its module is loaded after the answer has begun', async () => {
  const { page } = await open();
  /** @type {(value?: unknown) => void} */
  let goOn = () => {};
  const later = new Promise((resolve) => { goOn = resolve; });
  await page.route('**/pincite-status.js', async (route) => { await later; await route.continue(); });
  const stream = await askDriven(page);
  stream.event('status', STATUS.searching);
  await shows(page, 'Searching Acme Docs…');
  stream.event('answer_start', {});
  stream.event('answer_delta', { text: ANSWER[0] });
  await widget(page, '.prose p').waitFor();
  goOn();
  await page.evaluate(() => import(`${location.origin}/pincite/pincite-status.js`)); // The chat requested it first.
  assert.equal(await line(page).count(), 0);
});

test('if the status module cannot be loaded, the line keeps its text and the answer arrives', async () => {
  const { page } = await open();
  await page.route('**/pincite-status.js', (route) => route.abort());
  const stream = await askDriven(page);
  const failed = page.waitForEvent('requestfailed');
  stream.event('status', STATUS.searching);
  await failed;
  await shows(page, 'Searching Acme Docs…');
  stream.event('answer_start', {});
  stream.event('answer_delta', { text: 'First sentence. ' });
  await becomes(() => prose(page).innerText(), 'First sentence.');
  assert.equal(await line(page).count(), 0);
});

test('a new conversation stops the answer and removes its status', async () => {
  const { page, complaints } = await open();
  const stream = await askDriven(page);
  stream.event('status', STATUS.reading);
  await shows(page, READING);
  site.next(answers());
  await button(page, 'New conversation').click();
  await widget(page, '.welcome').waitFor();
  assert.equal(await line(page).count(), 0);
  await askAndWait(page);
  assert.equal(await widget(page, '.turn').count(), 1);
  assert.deepEqual(complaints, []);
});

test('a claim with the support "absent" is listed as not covered by the docs, and is neither doubtful nor an error', async () => {
  const absent = 'The docs do not say how long a failed job is kept.';
  const claims = [{ text: 'A failed job is retried.', support: 'verified', citations: [1], quote: 'A failed job is retried', markers: [0] },
    { text: absent, support: 'absent' }];
  site.next(answers({ text: [ANSWER[0], ` ${absent}`], end: { claims } }));
  site.next(answers());
  const { page, complaints } = await open();
  await askAndWait(page);
  assert.match(await prose(page).innerText(), /how long a failed job is kept\.$/u);
  await widget(page, 'summary').click();
  const row = widget(page, 'dt').filter({ hasText: 'Not covered by the docs' });
  assert.equal(await row.locator('+ dd').innerText(), absent);
  assert.match(await widget(page, 'dl').innerText(), /Checks\s+Passed\n/u);
  assert.equal(await widget(page, '.failure, .prose .unverified').count(), 0);
  await widget(page, '.cite').first().click();
  await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  await askAndWait(page, 'And how often?');
  await widget(page, 'summary').last().click();
  await widget(page, 'dl').last().waitFor();
  assert.equal(await row.count(), 1, 'an answer without such a claim has no such row');
  assert.deepEqual(complaints, []);
});
