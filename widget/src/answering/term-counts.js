import { COLUMNS } from './answer-shard.js';

/**
 * Where terms stand in all opened scopes, and how rare they are in the language.
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').TermCounts} TermCounts
 */

/**
 * Each of some terms or codes, where it stands in the library's parts.
 * @param {Library} library
 * @param {Iterable<string>} terms
 * @returns {Promise<TermCounts[]>}
 */
export function countsOf(library, terms) {
  return Promise.all([...new Set(terms)].map((term) => countsOfTerm(library, term)));
}

/**
 * @param {Library} library
 * @param {string} term
 * @returns {Promise<TermCounts>}
 */
async function countsOfTerm({ shards }, term) {
  const own = await Promise.all(shards.map((shard) => shard.counts(term)));
  const most = (/** @type {(of: typeof own[0]) => number} */ count) => Math.max(0, ...own.map(count)); // All tell of the whole locale.
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

/**
 * Of each of some terms, its inverse document frequency; a term that the language's pages never use is the rarest.
 * @param {Library} library
 * @param {TermCounts[]} counts
 */
export function rarityOf({ spoken }, counts) {
  return new Map(counts.map(({ term, anywhere }) => [term, inverseFrequency(spoken.parts, anywhere)]));
}

/** @param {number} counted @param {number} parts */
export const inverseFrequency = (counted, parts) => Math.log(1 + counted / (parts + 0.5));

/**
 * The most, by weight, that the text of one part holds of some terms: 0 to 1.
 * @param {Library} library
 * @param {TermCounts[]} counts
 * @param {Map<string, number>} weights
 */
export function bestShare(library, counts, weights) {
  const held = new Float64Array(library.parts);
  let total = 0;
  for (const { term, columns } of counts) {
    const weight = weights.get(term) ?? 0;
    total += weight;
    for (const part of columns.body.parts) held[part] += weight;
  }
  return held.reduce((best, weight) => Math.max(best, weight), 0) / (total || 1);
}

/**
 * @template T
 * @param {(column: import('./types.js').Column) => T} of
 */
function record(of) {
  return /** @type {Record<import('./types.js').Column, T>} */ (Object.fromEntries(COLUMNS.map((name) => [name, of(name)])));
}
