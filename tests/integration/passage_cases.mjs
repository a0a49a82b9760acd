/** Answers with the browser's code what `passage_cases.py` gives it, and prints the replies. */
import { readFileSync } from 'node:fs';
import { answer, localeOf, openLibrary, questionOf } from '../../widget/src/answering/answering.js';

const { folder, locale, builtAt, questions, changesLocale } = JSON.parse(readFileSync(0, 'utf8'));
const opened = (place) => openLibrary({
  load: async (file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')),
  loadBytes: async (file) => new Uint8Array(readFileSync(`${folder}/${file}`)).buffer,
  place,
});
const home = await opened({ locale });
const usual = home.facts.threshold;
const numbers = (packed) => new Float32Array(new Uint8Array(Buffer.from(packed, 'base64')).buffer);

const replies = [];
for (const { request, embedded, least } of questions) {
  const other = changesLocale ? await localeOf(home, request) : null;
  const library = other ? await opened({ locale: other }) : home;
  library.manifest.built_at = builtAt;
  library.facts.threshold = least ?? usual;
  const given = embedded && { vector: numbers(embedded.vector), states: numbers(embedded.states), hidden: embedded.hidden };
  if (embedded && embedded.text !== await questionOf(library, request)) throw new Error(`${request.query} was not read as ${embedded.text}`);
  replies.push(await answer(library, request, given));
}
console.log(JSON.stringify(replies));
