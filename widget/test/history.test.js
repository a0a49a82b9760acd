import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createHistory, MAX_AGE_MS, sessionTitle } from '../src/core/history.js';
import { createSafeStorage } from '../src/core/storage.js';
import { newTurn } from '../src/core/turn.js';
import { fakeStorage } from './support/storage.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u;

/** @type {Storage} */
let store;
let time = 0;

beforeEach(() => {
  store = fakeStorage();
  time = Date.parse('2026-11-12T08:00:00Z');
});

const open = () => createHistory({ storage: createSafeStorage(() => store), key: 'k', now: () => time });
let serial = 0;
const turn = (query = 'How?', fields = {}) => newTurn({ id: `m${serial += 1}`, query, mode: 'corpus', at: time, ...fields });

test('a conversation has a UUID and is stored with its first question', () => {
  const history = open();
  const id = history.start();
  assert.match(id, UUID);
  assert.deepEqual(history.sessions(), []);
  history.record(id, turn('How are jobs retried?'));
  assert.equal(history.sessions()[0].title, 'How are jobs retried?');
});

test('the conversation in progress is still there after a page load, citations included', () => {
  const history = open();
  const id = history.start();
  history.record(id, turn('Q', { answer: 'A [1]', citations: [{ n: 1, title: 'T', url: '/t' }] }));
  assert.deepEqual(open().current()?.turns[0].citations, [{ n: 1, title: 'T', url: '/t' }]);
});

test('the list has the newest conversation first', () => {
  const history = open();
  for (const query of ['first', 'second', 'third']) {
    history.record(history.start(), turn(query));
    time += 1000;
  }
  assert.deepEqual(history.sessions().map(({ title }) => title), ['third', 'second', 'first']);
});

test('a repeated answer replaces the earlier one', () => {
  const history = open();
  const id = history.start();
  const question = turn();
  history.record(id, { ...question, outcome: 'interrupted' });
  history.record(id, { ...question, outcome: 'answered' });
  assert.deepEqual(history.current()?.turns.map(({ outcome }) => outcome), ['answered']);
});

test('only the twenty newest questions are kept, counted over all conversations', () => {
  const history = open();
  const old = history.start();
  for (let n = 0; n < 15; n += 1) history.record(old, turn(`old ${n}`, { at: time + n }));
  const recent = history.start();
  for (let n = 0; n < 10; n += 1) history.record(recent, turn(`new ${n}`, { at: time + 100 + n }));
  const sessions = history.sessions();
  assert.equal(sessions.flatMap((session) => session.turns).length, 20);
  assert.equal(sessions.find(({ id }) => id === old)?.turns[0].query, 'old 5');
});

test('questions are forgotten after seven days, and a conversation with its last question', () => {
  open().record(open().start(), turn('old'));
  time += MAX_AGE_MS;
  assert.equal(open().sessions().length, 1);
  time += 1;
  assert.equal(open().sessions().length, 0);
});

test('one conversation can be deleted and all can be cleared', () => {
  const history = open();
  const first = history.start();
  history.record(first, turn());
  const second = history.start();
  history.record(second, turn());
  history.remove(second);
  assert.deepEqual(history.sessions().map(({ id }) => id), [first]);
  assert.equal(history.current(), null);
  history.clear();
  assert.deepEqual(history.sessions(), []);
  assert.equal(store.getItem('k'), null);
});

test('a past conversation can be resumed and goes on under its own id', () => {
  const history = open();
  const first = history.start();
  history.record(first, turn('first'));
  history.start();
  history.resume(first);
  history.record(first, turn('more'));
  assert.deepEqual(history.current()?.turns.map(({ query }) => query), ['first', 'more']);
  assert.equal(history.current()?.title, 'first');
});

test('two tabs do not overwrite each other', () => {
  const [one, two] = [open(), open()];
  one.record(one.start(), turn('from one'));
  two.record(two.start(), turn('from two'));
  assert.equal(one.sessions().length, 2);
});

for (const garbage of ['{', 'null', '[]', '{"version":2,"sessions":[]}', '{"version":1,"sessions":[{"id":1}]}',
  '{"version":1,"sessions":[{"id":"a","title":"t","updated_at":1,"turns":[{}]}]}']) {
  test(`stored data that reads ${garbage} is set aside, said so, and replaced by what is asked next`, () => {
    store.setItem('k', garbage);
    const history = open();
    assert.deepEqual(history.sessions(), []);
    assert.equal(history.health(), 'corrupted');
    history.record(history.start(), turn());
    assert.equal(open().sessions().length, 1);
  });
}

test('a conversation works without storage, which is reported', () => {
  const history = createHistory({ storage: createSafeStorage(() => { throw new Error('private mode'); }), key: 'k', now: () => time });
  history.record(history.start(), turn());
  assert.equal(history.current()?.turns.length, 1);
  assert.equal(history.health(), 'unavailable');
});

test('a short question is its own title', () => {
  assert.equal(sessionTitle('  Refund? '), 'Refund?');
});

test('a question of exactly 80 characters is not cut', () => {
  const question = `${'word '.repeat(15)}exact`;
  assert.equal(question.length, 80);
  assert.equal(sessionTitle(question), question);
});

test('a longer question is cut at the last whole word within 80 characters', () => {
  const question = "What is the university's policy on academic integrity and plagiarism in submitted coursework?";
  assert.equal(sessionTitle(question), "What is the university's policy on academic integrity and plagiarism in…");
});

test('a word that ends exactly at the limit is kept whole', () => {
  assert.equal(sessionTitle(`${'a'.repeat(39)} ${'b'.repeat(40)} rest`), `${'a'.repeat(39)} ${'b'.repeat(40)}…`);
});

test('text without spaces is cut after 80 characters, and never inside one', () => {
  const title = sessionTitle('設定🚀'.repeat(40));
  assert.equal([...title].length, 81);
  assert.ok(title.endsWith('…'));
  assert.ok(title.isWellFormed());
});

test('line breaks in a question become spaces in its title', () => {
  assert.equal(sessionTitle('one\n\ntwo'), 'one two');
});
