import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { createTranslate, loadStrings } from '../src/core/i18n.js';
import { ASK_ABOUT_THIS, LAUNCH, languageFor } from '../src/launcher/labels.js';
import chat from '../src/strings/en/chat.js';
import english from '../src/strings/en.js';

/** @typedef {import('../src/core/i18n.js').Words} Words */

const LANGUAGES = (await readdir(new URL('../src/strings/', import.meta.url))).filter((file) => file.endsWith('.js'))
  .map((file) => file.replace('.js', ''));
const placeholders = (/** @type {string} */ text) => (text.match(/\{\w+\}/gu) ?? []).sort();
const formsOf = (/** @type {Words} */ words) => (typeof words === 'string' ? [words] : Object.values(words));
const stringsOf = async (/** @type {string} */ language) => (
  /** @type {Record<string, Words>} */ ((await import(`../src/strings/${language}.js`)).default));

test('the widget speaks twelve languages', () => {
  assert.deepEqual(LANGUAGES.sort(), ['de', 'en', 'es', 'fa', 'fr', 'ja', 'ko', 'pt', 'ru', 'vi', 'zh', 'zh-Hant']);
});

for (const language of LANGUAGES) {
  test(`${language} says everything that English says, with the same values filled in`, async () => {
    const strings = await stringsOf(language);
    assert.deepEqual(Object.keys(strings).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
      assert.equal(typeof strings[key], typeof text, key);
      for (const form of formsOf(strings[key])) {
        assert.ok(form.trim(), key);
        assert.deepEqual(placeholders(form), placeholders(formsOf(text)[0]), key);
      }
    }
  });

  test(`${language} has exactly its own plural forms of each text with a number`, async () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const [key, words] of Object.entries(await stringsOf(language))) {
      if (typeof words !== 'string') assert.deepEqual(Object.keys(words).sort(), categories, key);
    }
  });

  test(`${language} is loaded on demand and has its own launcher`, async () => {
    const strings = await stringsOf(language);
    assert.equal((await loadStrings(language))('send'), strings.send);
    assert.ok(LAUNCH[language] && ASK_ABOUT_THIS[language]);
  });
}

for (const language of LANGUAGES.filter((name) => name !== 'en')) {
  test(`no text of ${language} is in English`, async () => {
    const strings = await stringsOf(language);
    const same = Object.entries(english).filter(([key, text]) => JSON.stringify(strings[key]) === JSON.stringify(text));
    assert.deepEqual(same.map(([key]) => key).filter((key) => !['type_blog', 'type_page', 'type_guide', 'sources', 'history'].includes(key)), []);
  });
}

test('a number selects the plural form of its language and is written in its format', async () => {
  const said = async (/** @type {string} */ language, /** @type {number} */ n) => (await loadStrings(language))('error_rate_limited', { n });
  assert.match(await said('en', 1), /in 1 second\.$/u);
  assert.match(await said('en', 2), /in 2 seconds\.$/u);
  assert.match(await said('ru', 21), /через 21 секунду\.$/u);
  assert.match(await said('ru', 3), /через 3 секунды\.$/u);
  assert.match(await said('ru', 11), /через 11 секунд\.$/u);
  assert.match(await said('fr', 0), /dans 0 seconde\.$/u);
  assert.match(await said('ja', 1), /1 秒後/u);
  assert.match(await said('fa', 15), /۱۵ ثانیه/u);
  assert.match((await loadStrings('de'))('tooLong', { n: 1200 }), /^1\.200 Zeichen/u);
});

test("a site's text is the same for every number, and an unknown language uses English forms", () => {
  assert.equal(createTranslate(chat, { tooLong: 'Over by {n}.' })('tooLong', { n: 1 }), 'Over by 1.');
  assert.equal(createTranslate(chat)('showMore', { n: 1 }), 'Show 1 more source');
});

test('the English texts of a part are added once it is loaded, and never replace another language', async () => {
  const t = await loadStrings('en');
  assert.equal(t('whyNot'), '');
  t.learn({ whyNot: 'What was wrong?' });
  assert.equal(t('whyNot'), 'What was wrong?');
  const german = await loadStrings('de');
  german.learn({ whyNot: 'What was wrong?' });
  assert.notEqual(german('whyNot'), 'What was wrong?');
});

test('a regional tag finds its language and an unknown one finds English', () => {
  assert.equal(languageFor('zh-Hans-CN'), 'zh');
  assert.equal(languageFor('fr_CA'.replace('_', '-')), 'fr');
  assert.equal(languageFor('pt-BR'), 'pt');
  assert.equal(languageFor('pt-PT'), 'pt');
  assert.equal(languageFor('uk'), 'en');
  assert.equal(languageFor('tlh'), 'en');
  assert.equal(languageFor(''), 'en');
  assert.equal(languageFor('constructor'), 'en');
});

test('Chinese has the characters of its script or region', () => {
  for (const tag of ['zh-TW', 'zh-tw', 'zh-HK', 'zh-MO', 'zh-Hant', 'zh-Hant-TW', 'zh-hant-hk']) assert.equal(languageFor(tag), 'zh-Hant', tag);
  for (const tag of ['zh', 'zh-CN', 'zh-SG', 'zh-Hans', 'zh-Hans-HK']) assert.equal(languageFor(tag), 'zh', tag);
});
