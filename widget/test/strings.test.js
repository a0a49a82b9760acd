import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { loadStrings } from '../src/core/i18n.js';
import { ASK_ABOUT_THIS, languageFor, launchLabel } from '../src/launcher/labels.js';
import english from '../src/strings/en.js';

const LANGUAGES = (await readdir(new URL('../src/strings/', import.meta.url))).map((file) => file.replace('.js', ''));
const placeholders = (/** @type {string} */ text) => (text.match(/\{\w+\}/gu) ?? []).sort();

test('the widget speaks the eight languages', () => {
  assert.deepEqual(LANGUAGES.sort(), ['de', 'en', 'es', 'fa', 'fr', 'ja', 'vi', 'zh']);
});

for (const language of LANGUAGES) {
  test(`${language} says everything that English says, with the same values filled in`, async () => {
    const { default: strings } = await import(`../src/strings/${language}.js`);
    assert.deepEqual(Object.keys(strings).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
      assert.ok(strings[key].trim(), key);
      assert.deepEqual(placeholders(strings[key]), placeholders(text), key);
    }
  });

  test(`${language} is loaded on demand and has its own launcher`, async () => {
    const { default: strings } = await import(`../src/strings/${language}.js`);
    assert.equal((await loadStrings(language))('send'), strings.send);
    assert.ok(launchLabel(language) && ASK_ABOUT_THIS[language]);
  });
}

test('a regional tag finds its language and an unknown one finds English', () => {
  assert.equal(languageFor('zh-Hans-CN'), 'zh');
  assert.equal(languageFor('fr_CA'.replace('_', '-')), 'fr');
  assert.equal(languageFor('tlh'), 'en');
  assert.equal(languageFor(''), 'en');
  assert.equal(languageFor('constructor'), 'en');
});
