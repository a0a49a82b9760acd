import { openShard, unpack } from '../search/shard.js';
import { range, remembered } from './rules.js';
/** @import {Places} from '../search/shard.js' */
/** @import {AnswerEntry, AnswerShard, Column, Counts, ExactFile, Load, LoadBytes} from './types.js' */

/** One scope's files for answers, in addition to those for search (`browser_bundle/exact.py`, `vectors.py`). */

/** The columns in the order of the file `exact`, after "anywhere". @type {Column[]} */
export const COLUMNS = ['body', 'headings', 'page', 'links', 'code'];

/**
 * @param {AnswerEntry} entry
 * @param {Load} load
 * @param {LoadBytes} loadBytes
 * @returns {Promise<(firstPart: number, dimension: number) => AnswerShard>} Which gets the shard's position among the library's.
 */
export async function openAnswerShard(entry, load, loadBytes) {
  const [shard, exact] = await Promise.all([openShard(entry, load), load(entry.exact[0])]);
  const numbersOf = (/** @type {string[]} */ names) => new Map(names.map((name, at) => [name, at]));
  const counts = counterOf(shard, exact, numbersOf(shard.vocabulary.terms), numbersOf(exact.codes));
  return (firstPart, dimension) => {
    const vectors = remembered(async () => vectorsOf(await load(entry.places[0]), await joined(entry.vectors, loadBytes), dimension));
    const tokens = remembered(async () => {
      const [places, packed] = await Promise.all([load(entry.places[0]), joined(entry.tokens, loadBytes)]);
      return { packed, firsts: sums(places.tokens) };
    });
    const own = { ...shard, entry, terms: shard.vocabulary.terms, firstPart, exact, counts };
    return { ...own, vectors: () => vectors(null), tokens: () => tokens(null) };
  };
}

/** @param {string[]} files @param {LoadBytes} loadBytes */
async function joined(files, loadBytes) {
  return new Uint8Array(await new Blob(await Promise.all(files.map(loadBytes))).arrayBuffer());
}

/**
 * @param {{parts: number[], units: number[][], titles: number[]}} places
 * @param {Uint8Array} bytes
 * @param {number} dimension
 */
function vectorsOf(places, bytes, dimension) {
  const rows = new Int8Array(bytes.buffer);
  const lengths = Float64Array.from({ length: rows.length / dimension }, (_, row) => {
    let squares = 0;
    for (let at = row * dimension; at < (row + 1) * dimension; at += 1) squares += rows[at] * rows[at];
    return Math.max(Math.sqrt(squares), 1);
  });
  return {
    dimension, rows, lengths,
    ofParts: Int32Array.from(places.parts),
    firstUnits: sums(places.units.map(({ length }) => length)),
    ofUnits: Int32Array.from(places.units.flat()),
    ofTitles: Int32Array.from(places.titles),
  };
}

/** The start of each of some runs, and the end of the last. @param {number[]} lengths */
function sums(lengths) {
  const firsts = new Int32Array(lengths.length + 1);
  lengths.forEach((length, at) => { firsts[at + 1] = firsts[at] + length; });
  return firsts;
}

/**
 * @param {import('../search/shard.js').Shard} shard
 * @param {ExactFile} exact
 * @param {Map<string, number>} numbers  Of terms.
 * @param {Map<string, number>} codes  Their numbers.
 * @returns {AnswerShard['counts']}
 */
function counterOf(shard, exact, numbers, codes) {
  const over = Object.fromEntries(Object.entries(exact.over).map(([column, flat]) => [column, exceeding(flat)]));
  const ofSection = (/** @type {number} */ section) => {
    const { firstPart, parts } = shard.sections[section];
    return range(firstPart, firstPart + parts);
  };
  const ofPage = (/** @type {number} */ page) => range(shard.firstSections[page], shard.firstSections[page + 1]).flatMap(ofSection);
  const partsAt = { body: (/** @type {number} */ part) => [part], headings: ofSection, links: ofSection, page: ofPage };
  return async (term) => {
    const [number, code] = [numbers.get(term), codes.get(term)];
    const postings = number === undefined ? null : await shard.postings(number);
    const columns = /** @type {Record<Column, Counts>} */ ({});
    for (const name of /** @type {const} */ (['body', 'headings', 'page', 'links'])) {
      columns[name] = postings ? spread(postings[name], over[name].get(number ?? 0), partsAt[name]) : { parts: [], times: [] };
    }
    columns.code = code === undefined ? { parts: [], times: [] } : spread(unpack(exact.postings[code]), over.code.get(code), partsAt.body);
    return { columns, ...foundOf(exact, columns, number, code) };
  };
}

/**
 * The number of the locale's parts with a term: as the build counted, or as the scope has it if it is all of the locale.
 * @param {ExactFile} exact
 * @param {Record<Column, Counts>} columns
 * @param {number | undefined} number
 * @param {number | undefined} code
 */
function foundOf({ found, found_codes: foundCodes }, columns, number, code) {
  const own = /** @type {Record<Column, number>} */ (Object.fromEntries(COLUMNS.map((name) => [name, columns[name].parts.length])));
  if (!found || !foundCodes) return { anywhere: new Set(COLUMNS.flatMap((name) => columns[name].parts)).size, found: own };
  if (number !== undefined) COLUMNS.slice(0, -1).forEach((name, at) => { own[name] = found[at + 1][number]; });
  if (code !== undefined) own.code = foundCodes[1][code];
  return { anywhere: number === undefined ? code === undefined ? 0 : foundCodes[0][code] : found[0][number], found: own };
}

/** @param {Places} postings @param {Map<number, number> | undefined} over @param {(place: number) => number[]} partsAt @returns {Counts} */
function spread([places, times], over, partsAt) {
  /** @type {Counts} */
  const counts = { parts: [], times: [] };
  places.forEach((place, at) => {
    for (const part of partsAt(place)) {
      counts.parts.push(part);
      counts.times.push(over?.get(place) ?? times[at]);
    }
  });
  return counts;
}

/** @param {number[]} flat  Term, place and frequency, again and again. @returns {Map<number, Map<number, number>>} */
function exceeding(flat) {
  const terms = new Map();
  for (let at = 0; at < flat.length; at += 3) {
    const places = terms.get(flat[at]) ?? new Map();
    terms.set(flat[at], places.set(flat[at + 1], flat[at + 2]));
  }
  return terms;
}
