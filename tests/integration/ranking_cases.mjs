/** Asks the browser's search what `ranking_cases.py` gives it, and prints what was found. */
import { readFileSync } from 'node:fs';
import { openLibrary, search } from '../../widget/src/answering/answering.js';

const { folder, locale, k, questions } = JSON.parse(readFileSync(0, 'utf8'));
const bytes = (file) => new Uint8Array(readFileSync(`${folder}/${file}`)).buffer;
const library = await openLibrary({
  load: async (file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')),
  loadBytes: async (file) => bytes(file),
  place: { locale },
});
const numbers = (packed) => new Float32Array(new Uint8Array(Buffer.from(packed, 'base64')).buffer);

const found = [];
for (const { text, embedded } of questions) {
  const given = embedded && { vector: numbers(embedded.vector), states: numbers(embedded.states), hidden: embedded.hidden };
  const result = await search(library, text, given, k);
  const counts = await Promise.all(result.query.terms.map(async (term) => {
    const own = await Promise.all(library.shards.map((shard) => shard.counts(term)));
    return own.some(({ anywhere }) => anywhere > 0);
  }));
  const terms = result.query.terms.filter((_, at) => counts[at]);
  found.push({
    text: result.query.text,
    terms,
    unknown: result.query.terms.length - terms.length,
    codes: result.query.codes,
    sections: result.sections.map(({ shard, section }) => `${shard.sections[section].url}#${shard.sections[section].anchor}`),
    scores: result.sections.map(({ score }) => score),
    signals: result.signals,
    evidence: result.evidence,
  });
}
console.log(JSON.stringify(found));
