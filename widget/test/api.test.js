import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { ApiError, createApi } from '../src/core/api.js';
import { advance, newTurn } from '../src/core/turn.js';
import { ANSWER, answers, CITATIONS, REFUSAL, refuses, SEARCHED, STATUS } from './support/answers.js';
import { startSidecar } from './support/sidecar.js';

/** @type {import('./support/sidecar.js').Sidecar} */
let sidecar;
/** @type {string | null} */
let reader = null;

beforeEach(async () => {
  sidecar = await startSidecar();
  reader = null;
});
afterEach(() => sidecar.stop());

const client = (/** @type {object} */ options = {}) => createApi({
  base: `${sidecar.url}/`,
  token: () => '',
  reader: { get: () => reader, set: (value) => { reader = value; } },
  ...options,
});
const REQUEST = /** @type {const} */ ({ message_id: 'm1', session_id: 's1', query: 'How?', mode: 'corpus' });

/**
 * Ask, and return the turn after all events.
 * @param {object} [options]
 * @param {AbortController} [options.controller]
 * @param {ReturnType<typeof client>} [options.api]
 * @param {(event: import('../src/types.js').ChatEvent) => void} [options.onEvent]
 */
async function ask({ controller = new AbortController(), api = client(), onEvent = () => {} } = {}) {
  let turn = newTurn({ id: 'm1', query: 'How?', mode: 'corpus', at: 0 });
  try {
    await api.chat(REQUEST, { signal: controller.signal, onEvent: (event) => { turn = advance(turn, event); onEvent(event); } });
    return { turn, error: null };
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return { turn, error };
  }
}

test('a streamed answer arrives in order and whole', async () => {
  sidecar.next(answers());
  /** @type {string[]} */
  const types = [];
  const { turn, error } = await ask({ onEvent: ({ type }) => types.push(type) });
  assert.equal(error, null);
  assert.deepEqual(types, ['start', 'delta', 'delta', 'delta', 'sources', 'end']);
  assert.equal(turn.answer, ANSWER.join(''));
  assert.deepEqual(turn.citations, CITATIONS);
  assert.equal(turn.end?.confidence_score, 0.86);
});

test('the request says what it accepts and carries the question as JSON', async () => {
  sidecar.next(answers());
  await ask();
  const [{ headers, body, path }] = sidecar.received;
  assert.equal(path, '/api/chat');
  assert.match(headers.accept ?? '', /text\/event-stream/u);
  assert.equal(headers['content-type'], 'application/json');
  assert.deepEqual(body, REQUEST);
});

test('events that are split anywhere, even within a character, are joined', async () => {
  sidecar.next(async (reply) => {
    reply.startStream();
    const bytes = Buffer.from('event: answer_start\r\ndata: {"index_id":"ix"}\r\n\r\nevent: answer_delta\ndata: {"text":"Größe 設定 🚀"}\n\n'
      + 'event: sources\ndata: {"citations":[]}\n\nevent: answer_end\ndata: {"confidence_score":1}\n\n');
    for (const byte of bytes) {
      reply.raw(Uint8Array.of(byte));
      if (byte > 127) await reply.wait(1);
    }
    reply.end();
  });
  const { turn, error } = await ask();
  assert.equal(error, null);
  assert.equal(turn.answer, 'Größe 設定 🚀');
});

test('heartbeats and unknown events are ignored', async () => {
  sidecar.next(async (reply) => {
    reply.startStream();
    reply.heartbeat();
    reply.event('answer_start', {});
    reply.event('weather', { sunny: true });
    reply.heartbeat();
    reply.event('answer_end', {});
    reply.end();
  });
  assert.equal((await ask()).turn.outcome, 'answered');
});

test('status events arrive in order and leave the turn unchanged', async () => {
  sidecar.next(async (reply) => {
    reply.startStream();
    reply.event('status', STATUS.searching);
    reply.event('status', STATUS.reading);
    reply.event('answer_start', {});
    reply.event('answer_delta', { text: 'Yes.' });
    reply.event('status', STATUS.checking);
    reply.event('answer_end', {});
    reply.end();
  });
  /** @type {import('../src/types.js').ChatEvent[]} */
  const events = [];
  const { turn } = await ask({ onEvent: (event) => events.push(event) });
  assert.deepEqual(events.map(({ type }) => type), ['status', 'status', 'start', 'delta', 'status', 'end']);
  assert.deepEqual(events.flatMap((event) => (event.type === 'status' ? event.status : [])), [STATUS.searching, STATUS.reading, STATUS.checking]);
  assert.deepEqual([turn.answer, turn.outcome], ['Yes.', 'answered']);
  assert.doesNotMatch(JSON.stringify(turn), /phase|queries|titles/u);
});

test('a refusal can arrive as an event after status events, with the queries that were tried', async () => {
  sidecar.next(async (reply) => {
    reply.startStream();
    reply.event('status', STATUS.searching);
    reply.event('refusal', { ...REFUSAL, searched: SEARCHED });
    reply.end();
  });
  const { turn, error } = await ask();
  assert.equal(error, null);
  assert.equal(turn.outcome, 'refused');
  assert.deepEqual(turn.refusal?.searched, SEARCHED);
});

test('a stream that ends after a status counts as interrupted', async () => {
  sidecar.next(async (reply) => {
    reply.startStream();
    reply.event('status', STATUS.searching);
    reply.end();
  });
  assert.equal((await ask()).error?.code, 'interrupted');
});

/**
 * Return a `fetch` whose reply streams `parts`, each after `silence` and after the one before was read.
 * @param {string[]} parts
 * @param {(part: string) => void} silence
 */
const slowFetch = (parts, silence) => async (/** @type {string} */ _, /** @type {RequestInit} */ { signal }) => new Response(
  new ReadableStream({
    start: (stream) => { signal?.addEventListener('abort', () => stream.error(signal.reason)); },
    pull: (stream) => {
      const part = parts.shift();
      if (part === undefined) return stream.close();
      silence(part);
      if (!signal?.aborted) stream.enqueue(Buffer.from(part));
    },
  }, { highWaterMark: 0 }),
  { headers: { 'Content-Type': 'text/event-stream' } },
);
const BEAT = ': ping\n\n';
const END = 'event: answer_end\ndata: {}\n\n';

for (const [passed, outcome] of /** @type {[number, string | undefined][]} */ ([[44_999, undefined], [45_000, 'interrupted']])) {
  test(`heartbeats ${passed} ms apart ${outcome ? 'are a lost connection' : 'keep a slow answer alive'}`, async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const fetch = slowFetch([BEAT, BEAT, BEAT, END], (part) => {
      if (part === END) mock.timers.reset();
      else mock.timers.tick(passed);
    });
    assert.equal((await ask({ api: client({ fetch }) })).error?.code, outcome);
  });
}

test('silence ends an answer as a lost connection', async () => {
  sidecar.next((reply) => reply.startStream());
  assert.equal((await ask({ api: client({ idleTimeout: 100 }) })).error?.code, 'interrupted');
});

test('a connection that drops keeps what had arrived', async () => {
  let drop = () => {};
  sidecar.next((reply) => {
    drop = reply.drop;
    reply.startStream();
    reply.event('answer_start', {});
    reply.event('answer_delta', { text: 'A failed job' });
  });
  const { turn, error } = await ask({ onEvent: ({ type }) => type === 'delta' && drop() });
  assert.equal(error?.code, 'interrupted');
  assert.equal(turn.answer, 'A failed job');
});

test('a stream that ends without an error but early counts as interrupted', async () => {
  sidecar.next((reply) => {
    reply.startStream();
    reply.event('answer_start', {});
    reply.end();
  });
  assert.equal((await ask()).error?.code, 'interrupted');
});

test('a connection that drops after the answer is complete is no failure', async () => {
  let drop = () => {};
  sidecar.next((reply) => {
    drop = reply.drop;
    reply.startStream();
    reply.event('answer_end', {});
  });
  const { turn, error } = await ask({ onEvent: ({ type }) => type === 'end' && drop() });
  assert.equal(error, null);
  assert.equal(turn.outcome, 'answered');
});

test("the server's error event carries its code and sentence", async () => {
  sidecar.next((reply) => {
    reply.startStream();
    reply.event('error', { code: 'llm_unavailable', message: 'The language model did not answer. Try again.' });
    reply.end();
  });
  const { error } = await ask();
  assert.deepEqual([error?.code, error?.detail], ['llm_unavailable', 'The language model did not answer. Try again.']);
});

test('a refusal comes as JSON', async () => {
  sidecar.next(refuses());
  const { turn } = await ask();
  assert.equal(turn.outcome, 'refused');
  assert.equal(turn.refusal?.message, REFUSAL.message);
  assert.equal(turn.refusal?.nearest?.length, 3);
});

test('an answer that a proxy turned into one JSON object is shown all the same', async () => {
  sidecar.next((reply) => reply.json({ type: 'answer', index_id: 'ix', answer: 'Yes. [1]', citations: CITATIONS, confidence_score: 0.5 }));
  const { turn } = await ask();
  assert.deepEqual([turn.outcome, turn.answer, turn.end?.confidence_score], ['answered', 'Yes. [1]', 0.5]);
});

test('a rate limit has the time to wait', async () => {
  sidecar.next((reply) => reply.json({ code: 'rate_limited', detail: 'Slow down.' },
    { status: 429, type: 'application/problem+json', headers: { 'Retry-After': '30' } }));
  const { error } = await ask();
  assert.deepEqual([error?.code, error?.retryAfter], ['rate_limited', 30]);
});

test("a problem keeps the server's stable code and its sentence", async () => {
  sidecar.next((reply) => reply.json({ code: 'body_too_large', detail: 'Send a shorter selection.' }, { status: 413, type: 'application/problem+json' }));
  const { error } = await ask();
  assert.deepEqual([error?.code, error?.detail], ['body_too_large', 'Send a shorter selection.']);
});

test('401 is reported as unauthorized, and the token is sent as a bearer token', async () => {
  sidecar.next((reply) => reply.json({ code: 'unauthorized' }, { status: 401, type: 'application/problem+json' }));
  assert.equal((await ask()).error?.code, 'unauthorized');
  sidecar.next(answers());
  await ask({ api: client({ token: () => 'secret' }) });
  assert.deepEqual(sidecar.received.map(({ headers }) => headers.authorization), [undefined, 'Bearer secret']);
});

test('a static host that answers with a page counts as unreachable', async () => {
  assert.equal((await ask()).error?.code, 'unreachable');
  sidecar.next((reply) => reply.json('<html>', { type: 'text/html' }));
  assert.equal((await ask()).error?.code, 'unreachable');
});

test('a missing sidecar is unreachable', async () => {
  assert.equal((await ask({ api: client({ base: 'http://127.0.0.1:9' }) })).error?.code, 'unreachable');
});

test('stopping ends the answer and the request', async () => {
  sidecar.next(async (reply) => {
    reply.startStream();
    reply.event('answer_start', {});
    reply.event('answer_delta', { text: 'On and on' });
  });
  const controller = new AbortController();
  const { turn, error } = await ask({ controller, onEvent: ({ type }) => type === 'delta' && controller.abort() });
  assert.equal(error?.code, 'stopped');
  assert.equal(turn.answer, 'On and on');
});

test("the reader's token is kept and sent back", async () => {
  const api = client();
  sidecar.next(answers());
  sidecar.next(answers());
  await ask({ api });
  await ask({ api });
  assert.deepEqual(sidecar.received.map(({ headers }) => headers['pincite-reader']), [undefined, 'reader-1']);
});

test('votes and IDs are sent to their routes', async () => {
  sidecar.always('/api/resolve', { 'docs/a#b': { status: 'current', url: '/a#b' } });
  await client().feedback('m1', { vote: 'down', reason: 'wrong' });
  assert.equal((await client().resolve(['docs/a#b'], { version: '2.4' }))['docs/a#b'].status, 'current');
  assert.deepEqual(sidecar.received.map(({ path, body }) => [path, body]), [
    ['/api/feedback', { message_id: 'm1', vote: 'down', reason: 'wrong' }],
    ['/api/resolve', { ids: ['docs/a#b'], version: '2.4' }],
  ]);
});
