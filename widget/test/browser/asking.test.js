import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { answers, CITATIONS, REFUSAL, refuses } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { answered, ask, askAndWait, button, getsFocus, leave, openChat, visit, widget } from '../support/reader.js';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {import('../support/sidecar.js').Sidecar} */
let site;
before(async () => { browser = await launchBrowser(); });
after(() => browser.close());
beforeEach(async () => { site = await startSite(); });
afterEach(() => leave(browser, site));

const open = (path = '', options = {}) => visit(browser, `${site.url}/guide/retries.html${path}`, options);

test('nothing but the loader is requested before the reader acts', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const requested = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(`${site.url}/guide/retries.html`, { waitUntil: 'networkidle' });
  assert.deepEqual(requested.filter((path) => path.startsWith('/pincite/') || path.startsWith('/api/')), ['/pincite/pincite.js']);
  const frame = page.waitForRequest('**/pincite-frame.js'); // The window is large enough for it.
  await openChat(page);
  await frame;
  assert.deepEqual(requested.filter((path) => path.startsWith('/pincite/')), ['/pincite/pincite.js', '/pincite/pincite-chat.js', '/pincite/pincite-frame.js']);
  assert.deepEqual(requested.filter((path) => path.startsWith('/api/')), ['/api/questions']);
  await context.close();
});

test('a question from the docs streams an answer with its citations, under a strict CSP and without a complaint', async () => {
  /** @type {(value?: unknown) => void} */
  let goOn = () => {};
  site.next(answers({ until: new Promise((resolve) => { goOn = resolve; }) }));
  const { page, complaints } = await open();
  await ask(page);
  await widget(page, '.prose p').waitFor();
  assert.match(await widget(page, '.prose').innerText(), /starting at two seconds/u);
  assert.equal(await widget(page, '.answer').getAttribute('aria-busy'), 'true');
  assert.equal(await button(page, 'Stop').isVisible(), true);
  goOn();
  await answered(page);
  assert.match(await widget(page, '.prose').innerText(), /retried with exponential backoff.+max_attempts: 5/su);
  assert.deepEqual(await widget(page, '.cite').evaluateAll((chips) => chips.map((chip) => chip.getAttribute('href'))),
    [`${site.url}/guide/retries.html#backoff`, `${site.url}/guide/retries.html#max-attempts`]);
  assert.equal(await widget(page, '.badge').innerText(), 'Based on Acme Docs · Docs as of Nov 12, 2026');
  assert.equal(await widget(page, '.confidence').innerText(), 'High confidence · 86%');
  assert.deepEqual(complaints, []);
});

test('the request has the fields of the contract', async () => {
  site.next(answers());
  site.next(answers());
  const { page } = await open();
  await askAndWait(page);
  await askAndWait(page, 'And how often?');
  const [first, second] = site.received.map(({ body }) => body);
  assert.match(first.message_id, /^[\da-f-]{36}$/u);
  assert.match(first.session_id, /^[\da-f-]{36}$/u);
  assert.deepEqual({ ...first, message_id: '', session_id: '' }, { message_id: '', session_id: '', query: 'How are failed jobs retried?',
    mode: 'corpus', scope: { version: '2.4', locale: 'en' }, page_url: '/guide/retries.html', build_id: 'b1', turns: [] });
  assert.equal(second.session_id, first.session_id);
  assert.notEqual(second.message_id, first.message_id);
  assert.deepEqual(second.turns.map((/** @type {any} */ turn) => turn.query), ['How are failed jobs retried?']);
});

test('a question that the docs do not answer is refused with the nearest sections and suggestions', async () => {
  site.next(refuses());
  const { page, complaints } = await open();
  await ask(page, 'Who won the world cup?');
  await widget(page, '.refusal').waitFor();
  assert.deepEqual(await widget(page, '.refusal > p').allInnerTexts(), [REFUSAL.message, ...REFUSAL.reasons]);
  assert.deepEqual(await widget(page, '.citation-title').allInnerTexts(), ['Exponential backoff', 'max_attempts', 'Installing on Linux']);
  assert.equal(await widget(page, '.suggestions a').getAttribute('href'), 'https://acme.example/support');
  await button(page, 'Rephrase your question').click();
  assert.equal(await widget(page, 'textarea').inputValue(), 'Who won the world cup?');
  assert.deepEqual(complaints, []);
});

test('a question that is sent twice quickly is asked once', async () => {
  site.next(answers({ pause: 100 }));
  const { page } = await open();
  await openChat(page);
  await widget(page, 'textarea').fill('How?');
  await page.keyboard.press('Enter');
  await page.keyboard.type('How?');
  await page.keyboard.press('Enter');
  await answered(page);
  assert.equal(site.received.length, 1);
  assert.equal(await widget(page, '.turn').count(), 1);
});

test('a connection lost half-way keeps the partial answer, and trying again completes it under the same id', async () => {
  const { page } = await open();
  site.next(async (reply) => {
    reply.startStream();
    reply.event('answer_start', {});
    reply.event('answer_delta', { text: 'A failed job is **retried**. It comes' });
    await widget(page, '.prose strong').waitFor();
    reply.drop();
  });
  site.next(answers());
  await ask(page);
  await widget(page, '.failure').waitFor();
  assert.match(await widget(page, '.failure').innerText(), /^Connection lost\./u);
  assert.match(await widget(page, '.prose').innerText(), /A failed job is retried\. It comes/u);
  await button(page, 'Try again').click();
  await answered(page);
  assert.equal(await widget(page, '.failure').count(), 0);
  assert.equal(await widget(page, '.turn').count(), 1);
  assert.deepEqual(site.received[1].body, site.received[0].body);
});

test('after too many questions, the reader sees how long to wait', async () => {
  site.next((reply) => reply.json({ code: 'rate_limited', detail: 'x' }, { status: 429, type: 'application/problem+json', headers: { 'Retry-After': '42' } }));
  const { page } = await open();
  await ask(page);
  assert.match(await widget(page, '.failure').innerText(), /in 42 seconds/u);
});

test("without a sidecar, the reader sees that and a link to the site's search", async () => {
  const { page } = await open();
  await ask(page, 'backoff & jitter');
  assert.match(await widget(page, '.failure').innerText(), /cannot be reached/u);
  assert.equal(await widget(page, '.failure a').getAttribute('href'), `${site.url}/search.html?q=backoff%20%26%20jitter`);
});

test('an answer can be stopped, and the text so far stays', async () => {
  site.next(async (reply) => {
    reply.startStream();
    reply.event('answer_start', {});
    reply.event('answer_delta', { text: 'On and on' });
  });
  const { page } = await open();
  await ask(page);
  await widget(page, '.prose p').waitFor();
  await button(page, 'Stop').click();
  assert.match(await widget(page, '.failure').innerText(), /^Stopped\./u);
  assert.match(await widget(page, '.prose').innerText(), /On and on/u);
  assert.equal(await button(page, 'Send').isVisible(), true);
});

test('markup in a question or an answer is shown, not run', async () => {
  const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
  site.next(answers({ text: [`Docs say ${attack} [x](javascript:window.hacked=1)`] }));
  const { page, complaints } = await open();
  await askAndWait(page, attack);
  assert.match(await widget(page, '.question').innerText(), /<img src=x/u);
  assert.match(await widget(page, '.prose').innerText(), /<script>/u);
  for (const element of ['img', 'script', '.prose a']) assert.equal(await widget(page, element).count(), 0);
  assert.equal(await page.evaluate(() => 'hacked' in window), false);
  assert.deepEqual(complaints, []);
});

test('a button shows the sources after the third, and passages unfold', async () => {
  site.next(answers());
  const { page } = await open();
  await askAndWait(page);
  assert.equal(await widget(page, '.citation').count(), 3);
  await button(page, 'Show 1 more source').click();
  assert.equal(await widget(page, '.citation').count(), 4);
  assert.equal(await widget(page, '.excerpt:visible').count(), 0);
  await button(page, 'Show the passage: Exponential backoff').click();
  assert.match(await widget(page, '.excerpt:visible').innerText(), /starting at two seconds/u);
  assert.match(await widget(page, '.citation.unverified').innerText(), /not verified/u);
});

test('an answer is copied with its citations as Markdown and as rich text, code by itself', async () => {
  site.next(answers());
  const { page } = await open('', { permissions: ['clipboard-read', 'clipboard-write'] });
  await askAndWait(page);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const copied = async (/** @type {string} */ name) => {
    const before = await clipboard();
    await button(page, name).click();
    await page.waitForFunction(async (old) => await navigator.clipboard.readText() !== old, before);
    return clipboard();
  };
  assert.match(await copied('Copy answer'), /dead-letter queue\. \[2\].+1\. \[Exponential backoff\]\(http:\/\/127\.0\.0\.1:\d+\/guide\/retries\.html#backoff\)/su);
  const rich = await page.evaluate(async () => (await (await navigator.clipboard.read())[0].getType('text/html')).text());
  assert.match(rich, /<a [^>]*href="http:[^"]+#backoff"[^>]*>\[1\]<\/a>/u);
  assert.match(rich, /\[2\] <a [^>]*href="http:[^"]+#max-attempts"[^>]*>max_attempts<\/a>/u);
  assert.doesNotMatch(rich, /<button/u);
  assert.equal(await copied('Copy link to this question'), `${site.url}/guide/retries.html?ask=How+are+failed+jobs+retried%3F`);
  assert.equal(await copied('Copy code'), 'queues:\n  mail:\n    max_attempts: 5\n    backoff: exponential');
});

test('the facts about an answer unfold on demand: confidence, checks and why they failed', async () => {
  site.next(answers({ end: { confidence_score: 0.35, validation_info: { passed: false, reasons: ['low_overlap'], used_fallback: true, context_docs_count: 1 },
    learning_suggestions: ['job priorities'] } }));
  const { page } = await open();
  await askAndWait(page);
  assert.equal(await widget(page, '.confidence.low').innerText(), 'Low confidence · 35%');
  await widget(page, 'summary').click();
  const panel = await widget(page, 'dl').innerText();
  for (const part of [/35%/u, /Failed: a statement is not supported by its source/u, /fallback was used/u, /job priorities/u, /Word for word/u]) assert.match(panel, part);
});

test('an answer that was not checked says so, and not that it passed', async () => {
  site.next(answers({ end: { validation_info: { passed: null, reasons: ['not_checked'], used_fallback: false, context_docs_count: 4 } } }));
  const { page } = await open();
  await askAndWait(page);
  await widget(page, 'summary').click();
  const panel = await widget(page, 'dl').innerText();
  assert.match(panel, /Not checked/u);
  assert.doesNotMatch(panel, /Passed|Failed/u);
});

test('a vote is sent once and shown as pressed', async () => {
  site.next(answers());
  const { page } = await open();
  await askAndWait(page);
  await button(page, 'Helpful').click();
  assert.equal(await button(page, 'Helpful').getAttribute('aria-pressed'), 'true');
  site.next(answers());
  await askAndWait(page, 'And then?'); // A second vote would be sent before it.
  const votes = site.received.filter(({ path }) => path === '/api/feedback');
  assert.deepEqual(votes.map(({ body }) => body), [{ message_id: site.received[0].body.message_id, vote: 'up' }]);
});

test('notices of the server and of the widget are shown with the answer', async () => {
  site.next(answers({ head: { notices: [{ code: 'unknown_version', message: 'There is no version 9 in these docs.' }] } }));
  const { page } = await open();
  await askAndWait(page);
  assert.equal(await widget(page, '.notice').innerText(), 'There is no version 9 in these docs.');
});

test('sources of several types have headings unless a type has only one source', async () => {
  site.next(answers());
  site.next(answers({ citations: [CITATIONS[0], { ...CITATIONS[3], n: 2 }] }));
  const { page } = await open();
  await askAndWait(page);
  assert.deepEqual(await widget(page, '.turn:last-child h4').allInnerTexts(), [], 'two of the three would be over one card');
  await askAndWait(page, 'And why are jobs retried?');
  assert.deepEqual(await widget(page, '.turn:last-child h4').allInnerTexts(), []);
});

test('an address with ?ask= opens the chat with the question typed in, sends nothing by itself, and not again on reload', async () => {
  site.next(answers());
  const { page } = await open('?ask=How%20often%3F');
  await widget(page, 'textarea').waitFor();
  assert.equal(await widget(page, 'textarea').inputValue(), 'How often?');
  await getsFocus(page, 'Your question');
  assert.equal(new URL(page.url()).search, '');
  assert.equal(site.received.length, 0);
  await page.keyboard.press('Enter');
  await answered(page);
  assert.equal(site.received[0].body.query, 'How often?');
});

test('an empty chat offers up to three of the questions that the sidecar knows the page to answer', async () => {
  const known = ['How long is the backoff?', 'Can I stop it?', 'When is it reset?', 'And a fourth?'];
  site.always('/api/questions', { questions: known });
  site.next(answers());
  const { page } = await open();
  await openChat(page);
  await button(page, known[2]).waitFor();
  assert.deepEqual(await widget(page, '.suggestion').allTextContents(), known.slice(0, 3));
  await button(page, known[0]).click();
  await answered(page);
  assert.equal(site.received[0].body.query, known[0]);
});

test('a page without known questions offers none', async () => {
  const { page } = await open();
  await openChat(page);
  assert.equal(await widget(page, '.suggestion, .welcome-label').count(), 0);
});

test("typing in the chat never reaches the site's hotkeys, and the site keeps its own", async () => {
  const { page } = await open();
  const hotkeys = () => page.evaluate(() => /** @type {any} */ (window).hotkeys.splice(0));
  await page.keyboard.press('/');
  await page.keyboard.press('Control+k');
  assert.deepEqual(await hotkeys(), ['/', 'Control', 'k']);
  assert.equal(await widget(page, 'dialog[open]').count(), 0);
  await openChat(page);
  await hotkeys();
  await page.keyboard.type('s / ? k');
  await page.keyboard.press('Control+k');
  assert.deepEqual(await hotkeys(), []);
});

test('the shortcut opens and closes the chat, Escape closes it, and the focus goes back to the launcher', async () => {
  const { page } = await open();
  await page.keyboard.press('Control+i');
  await widget(page, 'textarea').waitFor();
  await getsFocus(page, 'Your question');
  await page.keyboard.press('Escape');
  assert.equal(await widget(page, 'dialog[open]').count(), 0);
  await getsFocus(page, 'launcher');
  await page.keyboard.press('Control+i');
  await page.keyboard.press('Control+i');
  assert.equal(await widget(page, 'dialog[open]').count(), 0);
});

test('links do not move while an answer grows under the pointer', async () => {
  site.next(answers({ text: ['First [docs](/guide/install.html). ', 'Second sentence. [1] ', 'Third sentence. [2]'], pause: 150 }));
  const { page } = await open();
  await ask(page);
  const link = widget(page, '.prose a[href]').first();
  await link.waitFor();
  const handle = await link.elementHandle();
  const start = await handle?.boundingBox();
  await answered(page);
  assert.deepEqual(await handle?.boundingBox(), start);
});

test('over plain http a question is asked, kept and its answer copied', async () => {
  site.next(answers());
  const { page, complaints } = await visit(browser, `${site.url.replace('127.0.0.1', 'docs.test')}/guide/retries.html`);
  assert.equal(await page.evaluate(() => isSecureContext), false);
  await askAndWait(page);
  assert.match(site.received[0].body.message_id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u);
  await button(page, 'Copy answer').click();
  await getsFocus(page, 'Copy answer');
  await widget(page, 'textarea').focus();
  await page.keyboard.press('Control+V');
  assert.match(await widget(page, 'textarea').inputValue(), /retried with exponential backoff/u);
  assert.deepEqual(complaints, []);
});

test('Enter that confirms a candidate of an input method does not send, also in Safari', async () => {
  site.next(answers());
  const { page } = await open();
  await openChat(page);
  await widget(page, 'textarea').fill('にほん');
  await widget(page, 'textarea').evaluate((field) => field.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, composed: true })));
  assert.equal(await widget(page, 'textarea').inputValue(), 'にほん');
  await page.keyboard.press('Enter');
  await answered(page);
  assert.deepEqual(site.received.map(({ body }) => body.query), ['にほん']);
});

test('a question that is too long is not cut: the reader sees by how much, and cannot send it', async () => {
  site.next(answers());
  const { page } = await open();
  await openChat(page);
  const long = 'é'.repeat(2005);
  await widget(page, 'textarea').fill(long);
  assert.equal(await widget(page, 'textarea').inputValue(), long);
  assert.equal(await widget(page, '#excess').innerText(), '5 characters too many. Shorten the text to send it.');
  assert.equal(await button(page, 'Send').isDisabled(), true);
  await page.keyboard.press('Enter');
  for (let n = 0; n < 5; n += 1) await page.keyboard.press('Backspace');
  assert.equal(await widget(page, '#excess').innerText(), '');
  await page.keyboard.press('Enter');
  await answered(page);
  assert.deepEqual(site.received.map(({ body }) => body.query.length), [2000]);
});

test('the reader is warned before the oldest questions are dropped', async () => {
  const { page } = await open();
  for (let n = 0; n < 18; n += 1) {
    site.next(answers());
    await askAndWait(page, `Question ${n}?`);
    if (n < 17) assert.equal(await widget(page, '.hint').first().isVisible(), false);
  }
  await widget(page, '.hint').first().waitFor(); // Its text is loaded on demand.
  assert.equal(await widget(page, '.hint').first().innerText(), '18 questions are kept in this browser. After 20 the oldest go.');
});

test('a vote against a refusal asks why, and for a comment if comments are stored', async () => {
  site.always('/api/feedback', { comments_kept: true });
  site.next(refuses());
  const { page, complaints } = await open();
  await ask(page, 'Who won?');
  await button(page, 'Not helpful').click();
  await widget(page, '.why').waitFor();
  await widget(page, '.why label').filter({ hasText: 'The docs do say it' }).click();
  const comment = page.locator('pincite-chat').getByRole('textbox', { name: 'Comment (optional)' });
  await comment.fill('x'.repeat(1001));
  assert.equal(await widget(page, '.why button').isDisabled(), true);
  await comment.fill('See “Ports”.');
  await widget(page, '.why button').click();
  await widget(page, '.why').filter({ hasText: 'Thank you.' }).waitFor();
  await getsFocus(page, 'Not helpful');
  const votes = site.received.filter(({ path }) => path === '/api/feedback').map(({ body: { message_id: _, ...vote } }) => vote);
  assert.deepEqual(votes, [{ vote: 'down' }, { vote: 'down', reason: 'in_docs', comment: 'See “Ports”.' }]);
  assert.deepEqual(complaints, []);
});

test('without stored comments, none is asked for', async () => {
  site.always('/api/feedback', { comments_kept: false });
  site.next(answers());
  const { page } = await open();
  await askAndWait(page);
  await button(page, 'Not helpful').click();
  await widget(page, '.why').waitFor();
  assert.deepEqual(await widget(page, '.why label').allInnerTexts(), ['It is wrong', 'Something is missing', 'Not what I asked']);
  assert.equal(await widget(page, '.why textarea').count(), 0);
  await button(page, 'Helpful').click();
  await widget(page, '.why').waitFor({ state: 'detached' });
});

test('the panel can be docked beside the page, also with the keyboard, and stays docked on the next page', async () => {
  const { page } = await open();
  await openChat(page);
  await button(page, 'Dock beside the page').focus();
  await page.keyboard.press('Enter');
  const apart = async () => {
    const [text, panel] = await Promise.all([page.locator('main').boundingBox(), widget(page, 'dialog').boundingBox()]);
    return !!text && !!panel && text.x + text.width <= panel.x && panel.height === 800 && panel.y === 0;
  };
  assert.equal(await apart(), true);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).marginInlineEnd), '0px');
  await page.reload();
  await openChat(page);
  assert.equal(await apart(), true);
  await button(page, 'Dock beside the page').click();
  assert.equal(await apart(), false);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await button(page, 'Dock beside the page').isVisible(), false);
});

test('the mode switch is shown only to readers with a selection', async () => {
  const { page } = await open();
  await openChat(page);
  assert.equal(await widget(page, '.modes').isVisible(), false);
});
