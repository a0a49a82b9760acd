import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSelection, MAX_SELECTION_AGE_MS, selectionForRequest } from '../src/chat/selection-mode.js';
import { cleanSelectionText } from '../src/core/selection-text.js';

const NOW = Date.parse('2026-11-12T08:00:00Z');
const passage = (/** @type {object} */ change = {}) => ({
  text: 'x'.repeat(50), page_url: '/guide/', captured_at: new Date(NOW).toISOString(), ...change });
const moment = { pageUrl: '/guide/', now: NOW };

test('fifty characters of this page, selected just now, may be asked about', () => {
  assert.equal(checkSelection(passage(), moment), 'ok');
});

test('forty-nine characters are too short, and spaces around them do not help', () => {
  assert.equal(checkSelection(passage({ text: `   ${'x'.repeat(49)}   ` }), moment), 'too_short');
});

test('length is counted in characters, not in code units', () => {
  assert.equal(checkSelection(passage({ text: '🚀'.repeat(49) }), moment), 'too_short');
  assert.equal(checkSelection(passage({ text: '🚀'.repeat(50) }), moment), 'ok');
});

test('a passage can be used for five minutes', () => {
  assert.equal(checkSelection(passage(), { ...moment, now: NOW + MAX_SELECTION_AGE_MS }), 'ok');
  assert.equal(checkSelection(passage(), { ...moment, now: NOW + MAX_SELECTION_AGE_MS + 1 }), 'too_old');
});

test('a passage of another page is not used', () => {
  assert.equal(checkSelection(passage(), { ...moment, pageUrl: '/other/' }), 'page_changed');
});

test('a long passage goes out cut to 2,000 tokens, with nothing but its contract fields', () => {
  const { selection, truncated } = selectionForRequest(/** @type {any} */ ({ ...passage({ text: 'word\n'.repeat(2500) }), range: {} }));
  assert.equal(truncated, true);
  assert.equal(selection.text.split('\n').length, 2000);
  assert.deepEqual(Object.keys(selection), ['text', 'page_url', 'captured_at']);
});

test('the zero-width text of heading links is removed from a passage, and its lines stay', () => {
  assert.equal(cleanSelectionText('Heading\u200B\n\n\n\nfirst\tsecond\n'), 'Heading\n\nfirst\tsecond');
});
