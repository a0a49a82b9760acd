import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeText } from '../src/chat/scope-text.js';

test('a language is called by its name in the language of the reader', () => {
  assert.equal(scopeText({ version_label: 'Version: 2.4', locale: 'en' }, 'en'), 'Version: 2.4 · English');
  assert.equal(scopeText({ version: '2.4', locale: 'fr' }, 'fr'), '2.4 · français');
  assert.equal(scopeText({ locale: 'pt-BR' }, 'en'), 'Brazilian Portuguese');
});

for (const locale of ['xx', 'pt_BR', 'default', '', null, undefined]) {
  test(`no reader is shown a code that names no language: ${locale}`, () => {
    assert.equal(scopeText({ version: '2.4', locale }, 'en'), '2.4');
  });
}
