import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { installDom } from './support/dom.js';

installDom();
const { nameScope, scopeText } = await import('../src/chat/site.js');

const page = (/** @type {string[]} */ ...languages) => {
  document.head.innerHTML = languages.map((name) => `<link rel="alternate" hreflang="${name}" href="/${name}/">`).join('');
};

afterEach(() => { document.head.innerHTML = ''; });

test('a page in one language does not name it', () => {
  page('en', 'x-default');
  assert.equal(nameScope({ locale: 'en' }).locale, undefined);
  page();
  assert.equal(nameScope({ locale: 'en' }).locale, undefined);
});

test('a page with translations names its language', () => {
  page('en', 'de', 'x-default');
  assert.equal(nameScope({ locale: 'de' }).locale, 'de');
});

test("a language has its name in the reader's language", () => {
  assert.equal(scopeText({ version_label: 'Version: 2.4', locale: 'en' }, 'en'), 'Version: 2.4 · English');
  assert.equal(scopeText({ version: '2.4', locale: 'fr' }, 'fr'), '2.4 · français');
  assert.equal(scopeText({ locale: 'pt-BR' }, 'en'), 'Brazilian Portuguese');
});

for (const locale of ['xx', 'pt_BR', 'default', '', null, undefined]) {
  test(`no reader is shown a code that names no language: ${locale}`, () => {
    assert.equal(scopeText({ version: '2.4', locale }, 'en'), '2.4');
  });
}
