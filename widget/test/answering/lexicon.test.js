import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lexiconOf, stemmerOf } from '../../src/answering/lexicon.js';
import { setRules } from '../../src/answering/rules.js';
import { readVocabulary } from '../../src/search/vocabulary.js';

/** What the indexer cuts words to (`pincite_core.search.languages.stem`). @type {Record<string, [word: string, stem: string][]>} */
const STEMS = {
  en: [['configured', 'configur'], ['beginning', 'begin'], ['api', 'api']],
  de: [['überwachungen', 'uberwach'], ['größten', 'grosst'], ['gescheiterter', 'gescheitert']],
  fr: [['réponses', 'répons'], ['configurés', 'configur']],
  es: [['configuraciones', 'configur'], ['rápidos', 'rap']],
  pt: [['avançadas', 'avanc'], ['configurações', 'configur']],
  it: [['configurazioni', 'configur']],
  sv: [['inställningarna', 'inställning']],
  da: [['indstillingerne', 'indstilling']],
  no: [['innstillingene', 'innstilling']],
  fi: [['asetuksissa', 'asetuks']],
  hu: [['beállítások', 'beállítás']],
  ru: [['настройками', 'настройк'], ['ещё', 'ещ'], ['redux', 'redux'], ['configured', 'configur']],
  tr: [['ayarları', 'ayar'], ['büyütmek', 'büyüt']],
  ar: [['والحزم', 'حزم'], ['بيانات', 'بيان'], ['البرنامج', 'برنامج']],
  el: [['ρυθμίσεις', 'ρυθμ']],
  hi: [['सेटिंग्स', 'सेटिंग्स']],
  id: [['pengaturan', 'atur']],
  zh: [['configured', 'configur'], ['jest', 'jest']],
};

for (const [language, words] of Object.entries(STEMS)) {
  test(`words are cut as the indexer cuts them: ${language}`, async () => {
    const stem = await stemmerOf(language);
    assert.deepEqual(words.map(([word]) => [word, stem?.(word)]), words);
  });
}

test('a language whose stems are not known has no stemmer', async () => {
  assert.equal(await stemmerOf('nl'), null);
});

test('in a language without a stemmer, words have the terms that the endings of the docs lead to', () => {
  setRules({ lexicon: { doubling: 0.05, stays: 0.6, fewest_letters: 3 } });
  const vocabulary = readVocabulary('begin\nbestand\nwerken 2: 2:t');
  /** @type {any} */
  const facts = { small_terms: { nl: 'de het' }, asking: {}, languages: { nl: { endings: { en: [[0, 0.6]], s: [[0, 0.1], [2, 0.1]] } } } };
  const lexicon = lexiconOf([{ vocabulary, terms: vocabulary.terms }], 'nl', facts, null);
  assert.equal(lexicon.termOf('werkt'), 'werken');
  assert.equal(lexicon.termOf('bestanden'), 'bestand');
  assert.equal(lexicon.termOf('bestánden'), 'bestand');
  assert.equal(lexicon.termOf('beginnen'), 'begin');
  assert.equal(lexicon.termOf('werks'), 'werken');
  assert.equal(lexicon.termOf('andere'), 'andere');
  assert.equal(lexicon.withoutEnding('databases'), 'database');
  assert.ok(lexicon.isSmall('het') && !lexicon.isSmall('werken'));
});
