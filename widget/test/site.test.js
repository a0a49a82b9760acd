import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { installDom } from './support/dom.js';

installDom();
const { nameScope } = await import('../src/chat/site.js');

const page = (/** @type {string[]} */ ...languages) => {
  document.head.innerHTML = languages.map((name) => `<link rel="alternate" hreflang="${name}" href="/${name}/">`).join('');
};

afterEach(() => { document.head.innerHTML = ''; });

test('a page that is there in one language does not name it', () => {
  page('en', 'x-default');
  assert.equal(nameScope({ locale: 'en' }).locale, undefined);
  page();
  assert.equal(nameScope({ locale: 'en' }).locale, undefined);
});

test('a page with translations names its language', () => {
  page('en', 'de', 'x-default');
  assert.equal(nameScope({ locale: 'de' }).locale, 'de');
});
