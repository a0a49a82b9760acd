import { remembered } from '../search/files.js';
import { lengthNorm, oddsAgainst, range, saturated, sum } from '../search/numbers.js';
import { COLUMNS, countsOf } from './library.js';
import { codesWithDigits } from './query.js';
import { rules } from './rules.js';
import { cosines, projected, tokenSimilarity } from './vectors.js';
/** @import {Column, Embedded, Library, Part, Query, Scores, TermCounts} from './types.js' */

/**
 * Every ranker's candidates for a query, with their scores (`pincite_core.search.candidates`, `bm25`). `named` have a code with digits
 * of the query, and `nearest` is the nearest unit of each part, -1 for none.
 * @param {Library} library @param {Embedded | null} embedded @param {Query} query @param {TermCounts[]} counts
 */
export async function gatherCandidates(library, embedded, query, counts) {
  const { candidates: most } = rules.search;
  const [codes, digits, near] = await Promise.all([
    countsOf(library, query.codes), countsOf(library, codesWithDigits(query)), embedded && nearness(library, embedded.vector)]);
  const byTerms = Object.fromEntries(COLUMNS.map((name) => [name, bm25(library, name === 'code' ? codes : counts, name)]));
  const named = new Set(best(bm25(library, digits, 'code'), most));
  const found = new Set(Object.values(byTerms).flatMap((scores) => best(scores, most)));
  for (const part of [...named, ...near ? near.found(most) : []]) found.add(part);
  const numbers = [...found].sort((a, b) => a - b);
  const parts = numbers.map((number) => {
    const shard = library.shards.findLast(({ firstPart }) => firstPart <= number) ?? library.shards[0];
    return { shard, part: number - shard.firstPart };
  });
  const pick = (/** @type {ArrayLike<number>} */ all) => Float64Array.from(numbers, (at) => all[at]);
  /** @type {Scores} */
  const scores = Object.fromEntries(Object.entries(byTerms).map(([name, all]) => [name, pick(all)]));
  if (near && embedded) {
    Object.assign(scores, { dense: pick(near.dense), sentence: pick(near.sentence), title: pick(near.title) });
    scores.around = around(scores.dense, parts);
    const tokens = projected(embedded, library.facts.tokens);
    const similar = async (/** @type {Part} */ { shard, part }) => (
      tokenSimilarity(tokens ?? [], await shard.tokens(), (await shard.vectors()).ofParts[part]));
    if (tokens) scores.tokens = Float64Array.from(await Promise.all(parts.map(similar)));
  }
  const nearest = numbers.map((number) => near?.nearest[number] ?? -1);
  return { parts, scores, named: numbers.map((number) => named.has(number)), nearest };
}

/** For each part of a library, the norm of its length. @type {(library: Library) => number[]} */
const normsOf = remembered((/** @type {Library} */ { shards, profile: { average } }) => (
  shards.flatMap(({ wholeLengths }) => wholeLengths.map((length) => lengthNorm(length, average, rules.bm25.b)))), new WeakMap());

/**
 * The BM25 score of every part in one column, as SQLite's FTS5 gives it; NaN for a part without the terms. A term of most parts has the
 * least weight, and is left out beside any that says more.
 * @param {Library} library @param {TermCounts[]} counts @param {Column} column
 */
export function bm25(library, counts, column) {
  const { k1, least_rarity: least } = rules.bm25;
  const { parts } = library.profile;
  const scores = new Float64Array(library.parts).fill(NaN);
  const norms = normsOf(library);
  const idf = counts.map(({ found }) => Math.max(least, Math.log(oddsAgainst(parts, found[column]))));
  const isAnyTelling = idf.some((weight) => weight > least);
  counts.forEach(({ columns }, at) => {
    if (isAnyTelling && idf[at] <= least) return;
    const { parts: held, times } = columns[column];
    held.forEach((part, place) => {
      scores[part] = (Number.isNaN(scores[part]) ? 0 : scores[part]) + idf[at] * saturated(times[place], k1, norms[part]);
    });
  });
  return scores;
}

/**
 * The parts with the best scores, best first, the earlier one first among equals; without those that have none.
 * @param {ArrayLike<number>} scores @param {number} most
 */
export function best(scores, most) {
  const found = range(0, scores.length).filter((part) => !Number.isNaN(scores[part]));
  return found.sort((a, b) => scores[b] - scores[a] || a - b).slice(0, most);
}

/** The cosines of all parts, of their nearest units and of their sections' titles. @param {Library} library @param {Float32Array} vector */
async function nearness(library, vector) {
  const unknown = new Float64Array(library.parts).fill(NaN);
  const [dense, sentence, title] = [unknown.slice(), unknown.slice(), unknown.slice()];
  const nearest = new Int32Array(library.parts).fill(-1);
  /** @type {{part: number, cosine: number}[]} */
  const units = [];
  await Promise.all(library.shards.map(async (shard) => {
    const vectors = await shard.vectors();
    const all = cosines(vector, vectors);
    for (let part = 0; part < vectors.ofParts.length; part += 1) {
      const at = shard.firstPart + part;
      dense[at] = all[vectors.ofParts[part]];
      title[at] = all[vectors.ofTitles[shard.sectionOfPart[part]]] ?? NaN;
      for (let unit = vectors.firstUnits[part]; unit < vectors.firstUnits[part + 1]; unit += 1) {
        const row = vectors.ofUnits[unit];
        if (row < 0) continue;
        units.push({ part: at, cosine: all[row] });
        if (!(all[row] <= sentence[at])) [sentence[at], nearest[at]] = [all[row], unit - vectors.firstUnits[part]];
      }
    }
  }));
  const found = (/** @type {number} */ most) => [
    ...best(dense, most), ...units.sort((a, b) => b.cosine - a.cosine || a.part - b.part).slice(0, most).map(({ part }) => part)];
  return { dense, sentence, title, nearest, found };
}

/** The mean cosine of the best few candidates of each one's page. @param {Float64Array} dense @param {Part[]} parts */
function around(dense, parts) {
  const urls = parts.map(({ shard, part }) => shard.sections[shard.sectionOfPart[part]].url);
  const meanOf = remembered((/** @type {string} */ url) => {
    const nearest = dense.filter((_, at) => urls[at] === url).sort((a, b) => b - a).slice(0, rules.search.of_a_page);
    return sum(nearest) / nearest.length;
  });
  return Float64Array.from(urls, meanOf);
}
