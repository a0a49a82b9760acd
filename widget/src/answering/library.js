import { chooseScopes, loadManifest, primary } from '../search/files.js';
import { COLUMNS, openAnswerShard } from './answer-shard.js';
import { lexiconOf } from './lexicon.js';
import { remembered, setRules } from './rules.js';
import { stemmerOf } from './stemmer.js';
/** @import {AnswerEntry, Column, Library, Load, LoadBytes, TermCounts} from './types.js' */

/**
 * Opens the scopes that a place searches, without their postings, texts and vectors; no file is loaded twice.
 * @param {{load: Load, loadBytes: LoadBytes, place: import('../search/files.js').Place}} from
 * @returns {Promise<Library>}
 * @throws {Error} When the site was built without answers in the browser, or a file cannot be loaded.
 */
export async function openLibrary({ load, loadBytes, place }) {
  const [json, bytes] = [remembered(load), remembered(loadBytes)];
  const manifest = /** @type {Library['manifest']} */ (await loadManifest(json));
  if (!manifest.answers) throw new Error('search/ has no files to answer from: index the site with --browser-answers.');
  const entries = /** @type {AnswerEntry[]} */ (chooseScopes(manifest, place));
  const locale = entries[0]?.locale ?? manifest.default_locale;
  const language = primary(locale);
  const stemming = stemmerOf(language);
  const [facts, ...opened] = await Promise.all([json(manifest.answers), ...entries.map((entry) => openAnswerShard(entry, json, bytes))]);
  setRules(facts.rules);
  let parts = 0;
  const shards = opened.map((open) => {
    const shard = open(parts, facts.dimension);
    parts += shard.lengths.length;
    return shard;
  });
  const lexicon = lexiconOf(shards, language, manifest, facts, await stemming);
  return { load: json, manifest, facts, shards, locale, language, profile: facts.languages[locale], parts, lexicon };
}

/** Where each of some terms or codes stands in the library's parts. @param {Library} library @param {Iterable<string>} terms */
export function countsOf(library, terms) {
  return Promise.all([...new Set(terms)].map((term) => countsOfTerm(library, term)));
}

/** @param {Library} library @param {string} term @returns {Promise<TermCounts>} */
async function countsOfTerm({ shards }, term) {
  const own = await Promise.all(shards.map((shard) => shard.counts(term)));
  const most = (/** @type {(of: typeof own[0]) => number} */ count) => Math.max(0, ...own.map(count)); // Each counts the whole locale.
  /** @template T @param {(column: Column) => T} of @returns {Record<Column, T>} */
  const record = (of) => /** @type {any} */ (Object.fromEntries(COLUMNS.map((name) => [name, of(name)])));
  return {
    term,
    anywhere: most(({ anywhere }) => anywhere),
    found: record((name) => most(({ found }) => found[name])),
    columns: record((name) => ({
      parts: own.flatMap(({ columns }, at) => columns[name].parts.map((part) => part + shards[at].firstPart)),
      times: own.flatMap(({ columns }) => columns[name].times),
    })),
  };
}
