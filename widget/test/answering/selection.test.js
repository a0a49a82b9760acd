import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setRules } from '../../src/answering/rules.js';
import { kindOffered } from '../../src/answering/selection.js';

setRules({ selection: { name: { pattern: '(?<=\\S\\s)\\p{Lu}[\\p{L}]+', flags: 'u' } } });

test('a sentence that names somebody does so however many were looked at before', () => {
  const offers = kindOffered({ person: { has: 'who' }, people: { has: 'nobody is called so' } }, 'who keeps the keys?');
  const sentences = ['The keys are with Maria.', 'The keys are with Maria.', 'The keys are with Maria.', 'The keys are here.'];
  assert.deepEqual(sentences.map(offers), [true, true, true, false]);
});
