import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truncateToTokens } from '../src/core/tokens.js';

test('each ideograph counts as a token, a Latin word as few', () => {
  for (const [text, tokens] of /** @type {[string, number][]} */ ([['安装指南', 4], ['word', 1], ['internationalization', 5], ['f(x);', 5]])) {
    assert.equal(truncateToTokens(text, tokens).truncated, false, text);
    assert.equal(truncateToTokens(text, tokens - 1).truncated, true, text);
  }
});

test('a text within the limit is left alone', () => {
  assert.deepEqual(truncateToTokens('a b\nc', 3), { text: 'a b\nc', truncated: false });
});

test('a long text is cut between words and keeps its line breaks', () => {
  const { text, truncated } = truncateToTokens('one two\n\n\tthree four five', 4);
  assert.equal(truncated, true);
  assert.equal(text, 'one two\n\n\tthree');
});

test('a Chinese text is cut to as many characters as tokens', () => {
  assert.equal(truncateToTokens('设'.repeat(3000), 2000).text.length, 2000);
});

test('one very long word is cut inside, not dropped', () => {
  const { text, truncated } = truncateToTokens('x'.repeat(20_000), 2000);
  assert.equal(truncated, true);
  assert.ok(text.length > 0 && text.length < 20_000);
});

test('no cut exceeds the limit, whatever the script', () => {
  const mixed = 'Réglages 設定 настройки تنظیمات x=1;\n'.repeat(500);
  for (const limit of [1, 7, 100, 2000]) assert.equal(truncateToTokens(truncateToTokens(mixed, limit).text, limit).truncated, false);
});
