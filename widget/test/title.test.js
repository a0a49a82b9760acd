import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionTitle } from '../src/core/title.js';

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
