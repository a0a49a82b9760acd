import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionAsMarkdown } from '../src/chat/answer-copy.js';
import { createTranslate } from '../src/core/i18n.js';
import english from '../src/strings/en.js';
import { advance, contextTurns, newTurn, replay } from '../src/core/turn.js';
import { CITATIONS, END, REFUSAL, SEARCHED, STATUS } from './support/answers.js';

/** @typedef {import('../src/types.js').ChatEvent} ChatEvent */

const t = createTranslate(english);
const question = () => newTurn({ id: 'm', query: 'How?', mode: 'corpus', at: 0 });
const play = (/** @type {ChatEvent[]} */ ...events) => events.reduce(advance, question());
const ANSWERED = /** @type {ChatEvent[]} */ ([
  { type: 'start', head: { index_id: 'ix' } }, { type: 'delta', text: 'So ' }, { type: 'delta', text: 'so.' },
  { type: 'sources', citations: CITATIONS }, { type: 'end', end: END }]);
const DROPPED = /** @type {ChatEvent} */ ({ type: 'failure', failure: { code: 'interrupted' } });

test('an answer grows with its deltas and is complete with its end', () => {
  const turn = play(...ANSWERED);
  assert.equal(turn.answer, 'So so.');
  assert.equal(turn.outcome, 'answered');
});

test('a dropped connection keeps the partial answer, and a retry starts again', () => {
  const partial = play(ANSWERED[0], ANSWERED[1], DROPPED);
  assert.deepEqual([partial.answer, partial.outcome], ['So ', 'interrupted']);
  const again = ANSWERED.reduce(advance, partial);
  assert.deepEqual([again.answer, again.outcome, again.failure], ['So so.', 'answered', undefined]);
});

test('a stopped answer is no failure', () => {
  assert.equal(play(ANSWERED[0], { type: 'failure', failure: { code: 'stopped' } }).outcome, 'stopped');
});

test('a status changes no turn and is not replayed', () => {
  const status = Object.values(STATUS).map((value) => /** @type {ChatEvent} */ ({ type: 'status', status: value }));
  const partial = play(ANSWERED[0], ANSWERED[1], DROPPED);
  assert.equal(status.reduce(advance, partial), partial);
  const turn = play(...status, ANSWERED[0], ANSWERED[1], ...status, ...ANSWERED.slice(2));
  assert.deepEqual(turn, play(...ANSWERED));
  assert.deepEqual(replay(turn).map(({ type }) => type), ['start', 'delta', 'sources', 'end']);
});

test('replaying a stored turn gives the same turn', () => {
  for (const turn of [play(...ANSWERED), play(ANSWERED[0], ANSWERED[1], DROPPED), play({ type: 'refusal', refusal: /** @type {any} */ ({ ...REFUSAL, searched: SEARCHED }) })]) {
    assert.deepEqual(replay(turn).reduce(advance, question()), turn);
  }
});

test('a request carries the last five turns the reader still sees, and none that failed', () => {
  const turns = Array.from({ length: 7 }, (_, n) => ({ ...play(...ANSWERED), query: `q${n}` }));
  const context = contextTurns([...turns, play(DROPPED)]);
  assert.deepEqual(context.map(({ query }) => query), ['q2', 'q3', 'q4', 'q5', 'q6']);
  assert.deepEqual(Object.keys(context[0]), ['query', 'answer']);
});

test('a conversation is saved as Markdown with its numbered sources as links', () => {
  const session = { id: 's', title: 'How?', created_at: 0, updated_at: 0, turns: [play(...ANSWERED)] };
  const text = sessionAsMarkdown(session, ({ url }) => `https://docs.example.com${url}`, t);
  assert.match(text, /^# How\?\n\n## How\?\n\nSo so\.\n\n### Guides\n\n1\. \[Exponential backoff\]\(https:\/\/docs\.example\.com\/guide\/retries\.html#backoff\)/u);
  assert.match(text, /\n- \[Installing on Linux\]/u);
});

test('saved sources are grouped by type, the related ones last', () => {
  const session = { id: 's', title: 'How?', created_at: 0, updated_at: 0, turns: [play(...ANSWERED)] };
  const headings = sessionAsMarkdown(session, ({ url }) => url ?? '', t).match(/^### .*$/gmu);
  assert.deepEqual(headings, ['### Guides', '### Reference', '### Related sections']);
});

test('saved sources of a single type have no heading', () => {
  const answered = play(...ANSWERED);
  const turn = { ...answered, citations: answered.citations.slice(0, 1) };
  const session = { id: 's', title: 'How?', created_at: 0, updated_at: 0, turns: [turn] };
  assert.doesNotMatch(sessionAsMarkdown(session, ({ url }) => url ?? '', t), /###/u);
});
