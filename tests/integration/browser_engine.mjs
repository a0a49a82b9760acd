/** The browser's engine as a process: one JSON request a line in, one JSON reply a line out (`browser_engine.py`). */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { answer, localeOf, openLibrary, parseQuery, questionOf, search } from '../../widget/src/answering/answering.js';

/** @type {Map<string, Promise<any>>} */
const libraries = new Map();
const libraryOf = (folder, locale, path = '') => {
  const key = `${locale} ${path} ${folder}`;
  if (!libraries.has(key)) {
    if (libraries.size > 8) libraries.clear();
    libraries.set(key, openLibrary({
      load: async (file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')),
      loadBytes: async (file) => new Uint8Array(readFileSync(`${folder}/${file}`)).buffer,
      place: { locale, path },
    }));
  }
  return libraries.get(key);
};
const numbers = (packed) => new Float32Array(new Uint8Array(Buffer.from(packed, 'base64')).buffer);

/** `read`: what the browser would embed. `embedded` may be made for other words, which the caller compares. */
async function replyTo({ folder, locale, builtAt, least, request, embedded, changesLocale }) {
  const here = await libraryOf(folder, locale, request.page_url);
  const other = changesLocale ? await localeOf(here, request) : null;
  const opened = other ? await libraryOf(folder, other, request.page_url) : here;
  const library = {
    ...opened,
    manifest: { ...opened.manifest, built_at: builtAt },
    facts: { ...opened.facts, threshold: least ?? opened.facts.threshold },
  };
  if (request.wordsOnly) {
    const { evidence, sections } = await search(library, request.query, null, 5);
    const found = sections.map(({ shard, section, score }) => [`${shard.sections[section].url}#${shard.sections[section].anchor}`, score]);
    return { found, evidence };
  }
  const read = parseQuery(library, await questionOf(library, request)).text;
  const given = embedded && { vector: numbers(embedded.vector), states: numbers(embedded.states), hidden: embedded.hidden };
  return { read, reply: await answer(library, request, given) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = await replyTo(JSON.parse(line)).catch((error) => ({ error: String(error?.stack ?? error) }));
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
