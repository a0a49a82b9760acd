import { chooseScopes, loadManifest, primary, remembered } from '../search/files.js';
import { openShard, unpack } from '../search/shard.js';
import { lexiconOf, stemmerOf } from './lexicon.js';
import { setRules } from './rules.js';
import { createUnits } from './units.js';
/** @import {AnswerEntry, AnswerManifest, AnswersFacts, Column, Counts, ExactFile, Library, Load, LoadBytes} from './types.js' */

/** The columns that answers are ranked by, in the order of `found`; codes are only in `code`, and terms in the others. @type {Column[]} */
export const COLUMNS = ['body', 'headings', 'page', 'links', 'code'];

/**
 * Opens the scopes that a place searches, without their postings, texts and vectors; no file is loaded twice.
 * @param {{load: Load, loadBytes: LoadBytes, place: import('../search/files.js').Place}} from
 * @throws {Error} When the site was built without answers in the browser, or a file cannot be loaded.
 */
export async function openLibrary({ load: loadOnce, loadBytes, place }) {
  const load = remembered(loadOnce);
  const manifest = /** @type {AnswerManifest} */ (await loadManifest(load));
  if (!manifest.answers) throw new Error('search/ has no files to answer from: index the site with --browser-answers.');
  const entries = /** @type {AnswerEntry[]} */ (chooseScopes(manifest, place));
  const locale = entries[0]?.locale ?? manifest.default_locale;
  const language = primary(locale);
  const stemming = stemmerOf(language);
  /** @type {[AnswersFacts, ...Awaited<ReturnType<typeof openAnswerShard>>[]]} */
  const [facts, ...opened] = await Promise.all([
    load(manifest.answers), ...entries.map((entry) => openAnswerShard(entry, load, loadBytes))]);
  setRules(facts.rules);
  const firsts = sums(opened.map(({ lengths }) => lengths.length));
  const shards = opened.map((shard, at) => ({ ...shard, firstPart: firsts[at], vectors: () => shard.vectors(facts.dimension) }));
  const lexicon = lexiconOf(shards, locale, facts, await stemming);
  const profile = facts.languages[locale];
  const parts = firsts[shards.length];
  return { load, manifest, facts, shards, locale, language, table: profile?.table ?? language, profile, parts, lexicon };
}

/**
 * One scope's files for answers, in addition to those for search (`browser_bundle/exact.py`, `vectors.py`, `units.py`).
 * @param {AnswerEntry} entry @param {Load} load @param {LoadBytes} loadBytes
 */
async function openAnswerShard(entry, load, loadBytes) {
  /** @type {[Awaited<ReturnType<typeof openShard>>, ExactFile]} */
  const [shard, exact] = await Promise.all([openShard(entry, load), load(entry.exact[0])]);
  const { terms } = shard.vocabulary;
  const [numbers, codes] = [terms, exact.codes].map((names) => new Map(names.map((name, at) => [name, at])));
  const bytes = remembered(async (/** @type {string[]} */ files) => (
    new Uint8Array(await new Blob(await Promise.all(files.map(loadBytes))).arrayBuffer())));

  /** Where a term or code stands, by column; `found` and `anywhere` count the parts of the locale with it. @param {string} term */
  async function countsOf(term) {
    const [number, code] = [numbers.get(term), codes.get(term)];
    const columns = record(() => /** @type {Counts} */ ({ parts: [], times: [] }));
    if (number !== undefined) Object.assign(columns, await shard.counts(number));
    if (code !== undefined) columns.code = unpack(exact.postings[code], (part) => [part]);
    const own = record((name) => columns[name].parts.length);
    if (!exact.found || !exact.found_codes) { // The scope is all of its locale.
      return { columns, anywhere: new Set(COLUMNS.flatMap((name) => columns[name].parts)).size, found: own };
    }
    const ofTerm = exact.found.map((counts) => counts[number ?? -1] ?? 0);
    const ofCode = exact.found_codes.map((counts) => counts[code ?? -1] ?? 0);
    const counted = [...ofTerm.slice(1), ofCode[1]];
    return { columns, anywhere: ofTerm[0] || ofCode[0], found: record((_, at) => counted[at]) };
  }

  const vectors = remembered(async (/** @type {number} */ dimension) => (
    vectorsOf(await load(entry.places[0]), await bytes(entry.vectors), dimension)));
  const tokens = remembered(async (/** @type {string[]} */ files) => (
    { packed: await bytes(files), firsts: sums((await load(entry.places[0])).tokens) }));
  const { traits, lengths: wholeLengths } = exact;
  const answers = { entry, terms, traits, wholeLengths, countsOf, vectors, tokens: () => tokens(entry.tokens) };
  return { ...shard, ...answers, ...createUnits(entry, shard, load) };
}

/** @template T @param {(column: Column, at: number) => T} valueOf @returns {Record<Column, T>} */
const record = (valueOf) => /** @type {any} */ (Object.fromEntries(COLUMNS.map((name, at) => [name, valueOf(name, at)])));

/** @param {{parts: number[], units: number[][], titles: number[]}} places @param {Uint8Array} bytes @param {number} dimension */
function vectorsOf(places, bytes, dimension) {
  const rows = new Int8Array(bytes.buffer);
  const lengths = Float64Array.from({ length: rows.length / dimension }, (_, row) => {
    let squares = 0;
    for (let at = row * dimension; at < (row + 1) * dimension; at += 1) squares += rows[at] * rows[at];
    return Math.max(Math.sqrt(squares), 1);
  });
  const [ofParts, ofUnits, ofTitles] = [places.parts, places.units.flat(), places.titles].map((rowsOf) => Int32Array.from(rowsOf));
  return { dimension, rows, lengths, ofParts, firstUnits: sums(places.units.map(({ length }) => length)), ofUnits, ofTitles };
}

/** The start of each of some runs, and the end of the last. @param {number[]} lengths */
function sums(lengths) {
  const firsts = new Int32Array(lengths.length + 1);
  lengths.forEach((length, at) => { firsts[at + 1] = firsts[at] + length; });
  return firsts;
}

/** Where each of some terms or codes stands in the library's parts. @param {Library} library @param {Iterable<string>} terms */
export function countsOf({ shards }, terms) {
  return Promise.all([...new Set(terms)].map(async (term) => {
    const own = await Promise.all(shards.map((shard) => shard.countsOf(term)));
    const most = (/** @type {(of: typeof own[0]) => number} */ count) => Math.max(0, ...own.map(count)); // Each counts the whole locale.
    const columns = record((name) => ({
      parts: own.flatMap(({ columns }, at) => columns[name].parts.map((part) => part + shards[at].firstPart)),
      times: own.flatMap(({ columns }) => columns[name].times),
    }));
    return { term, anywhere: most(({ anywhere }) => anywhere), found: record((name) => most(({ found }) => found[name])), columns };
  }));
}
