import { chooseScopes, loadManifest, primary } from '../search/files.js';
import { openAnswerShard } from './answer-shard.js';
import { lexiconOf } from './lexicon.js';
import { stemmerOf } from './stemmer.js';

/**
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').AnswerEntry} AnswerEntry
 */

/**
 * Opens the scopes that a place searches, all but their postings, texts and vectors.
 * @param {{load: import('./types.js').Load, loadBytes: import('./types.js').LoadBytes, place: import('../types.js').Scope}} from
 *   Either may be asked for the same file again: nothing is loaded twice.
 * @returns {Promise<Library>}
 * @throws {Error} When the site was built without answers in the browser, or a file cannot be loaded.
 */
export async function openLibrary({ load, loadBytes, place }) {
  const [json, bytes] = [once(load), once(loadBytes)];
  const manifest = /** @type {Library['manifest']} */ (await loadManifest(json));
  if (!manifest.answers) throw new Error('search/ has no files to answer from: index the site with --browser-answers.');
  const entries = /** @type {AnswerEntry[]} */ (chooseScopes(manifest, place));
  const locale = entries[0]?.locale ?? manifest.default_locale;
  const language = primary(locale);
  const stemming = stemmerOf(language);
  const [{ rules, ...told }, ...opened] = await Promise.all([json(manifest.answers), ...entries.map((entry) => openAnswerShard(entry, json, bytes))]);
  const { fusion, bm25, search, priors, query, codes } = rules;
  const patterns = Object.fromEntries(Object.entries({ ...priors, ...query, code: codes.pattern })
    .filter(([, value]) => value.pattern).map(([name, { pattern, flags }]) => [name, [pattern, flags]]));
  const facts = { ...told, rules, tables: { ...told, ...fusion, bm25, most: { ...search, ...query }, priors, patterns } };
  let parts = 0;
  const shards = opened.map((open) => {
    const shard = open(parts, facts);
    parts += shard.lengths.length;
    return shard;
  });
  const lexicon = lexiconOf(shards, language, manifest, facts, await stemming);
  return { load: json, manifest, facts, shards, locale, language, spoken: facts.languages[locale], parts, lexicon };
}

/**
 * @template T
 * @param {(file: string) => Promise<T>} load
 * @returns {(file: string) => Promise<T>}
 */
function once(load) {
  /** @type {Map<string, Promise<T>>} */
  const loaded = new Map();
  return (file) => {
    const loading = loaded.get(file) ?? load(file);
    loaded.set(file, loading);
    loading.catch(() => loaded.delete(file)); // What could not be had once can be had later.
    return loading;
  };
}
