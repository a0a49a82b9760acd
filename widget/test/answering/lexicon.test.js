import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stemmerOf } from '../../src/answering/lexicon.js';

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
