import { best, bm25 } from './bm25.js';
import { cosines } from './cosines.js';
import { projected, tokenSimilarities } from './late-interaction.js';
import { codesWithDigits } from './query.js';
import { countsOf } from './term-counts.js';

/**
 * Every ranker's candidates for a query, and each candidate's score by every ranker (`pincite_core.search.candidates`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {{shard: import('./types.js').AnswerShard, part: number}} Part  A part by its number in its shard.
 *
 * @typedef {object} Candidates
 * @property {Part[]} parts  In order.
 * @property {import('./fusion.js').Scores} scores
 * @property {boolean[]} named  Which hold, letter by letter, a code of the query that has digits.
 * @property {number[]} nearest  The number of each part's nearest unit; -1 for a part of code alone, or without vectors.
 */

const TEXTS = /** @type {const} */ (['body', 'headings', 'page', 'links']);

/**
 * @param {Library} library
 * @param {import('./types.js').Embedded | null} embedded
 * @param {import('./types.js').Query} query
 * @param {import('./types.js').TermCounts[]} counts  Of its terms.
 * @returns {Promise<Candidates>}
 */
export async function gatherCandidates(library, embedded, query, counts) {
  const most = library.facts.tables.most.candidates;
  const [codes, digits, near] = await Promise.all([
    countsOf(library, query.codes), countsOf(library, codesWithDigits(query)), embedded && nearness(library, embedded.vector)]);
  const byTerms = Object.fromEntries([...TEXTS.map((name) => [name, bm25(library, counts, name)]), ['code', bm25(library, codes, 'code')]]);
  const named = new Set(best(bm25(library, digits, 'code'), most));
  const found = new Set(Object.values(byTerms).flatMap((scores) => best(scores, most)));
  for (const part of [...named, ...near ? near.found(most) : []]) found.add(part);
  const numbers = [...found].sort((a, b) => a - b);
  const parts = numbers.map((number) => partOf(library, number));
  const scores = Object.fromEntries(Object.entries(byTerms).map(([name, all]) => [name, Float64Array.from(numbers, (at) => all[at])]));
  if (near && embedded) {
    Object.assign(scores, near.scores(numbers));
    scores.around = around(scores.dense, parts, library.facts.tables.most.of_a_page);
    scores.title = await titles(embedded.vector, parts);
    const query = projected(embedded, library.facts.tokens);
    if (query) scores.tokens = await tokens(query, parts);
  }
  const nearest = numbers.map((number) => near?.nearest[number] ?? -1);
  return { parts, scores, named: numbers.map((number) => named.has(number)), nearest };
}

/** @param {Library} library @param {number} number  Among all. @returns {Part} */
function partOf({ shards }, number) {
  const shard = /** @type {Part['shard']} */ (shards.findLast(({ firstPart }) => firstPart <= number));
  return { shard, part: number - shard.firstPart };
}

/**
 * The cosines of all parts, and of their nearest units.
 * @param {Library} library
 * @param {Float32Array} vector
 */
async function nearness(library, vector) {
  const dense = new Float64Array(library.parts);
  const sentence = new Float64Array(library.parts).fill(NaN);
  const nearest = new Int32Array(library.parts).fill(-1);
  /** @type {{part: number, cosine: number}[]} */
  const units = [];
  await Promise.all(library.shards.map(async (shard) => {
    const vectors = await shard.vectors();
    const all = cosines(vector, vectors);
    vectors.ofParts.forEach((row, part) => { dense[shard.firstPart + part] = all[row]; });
    for (let part = 0; part < vectors.ofParts.length; part += 1) {
      const at = shard.firstPart + part;
      for (let unit = vectors.firstUnits[part]; unit < vectors.firstUnits[part + 1]; unit += 1) {
        const row = vectors.ofUnits[unit];
        if (row < 0) continue;
        units.push({ part: at, cosine: all[row] });
        if (!(all[row] <= sentence[at])) [sentence[at], nearest[at]] = [all[row], unit - vectors.firstUnits[part]];
      }
    }
  }));
  return {
    nearest,
    /** The parts that are nearest themselves, or by a unit. @param {number} most */
    found: (most) => [
      ...best(dense, most),
      ...units.sort((a, b) => b.cosine - a.cosine || a.part - b.part).slice(0, most).map(({ part }) => part),
    ],
    /** @param {number[]} numbers */
    scores: (numbers) => ({
      dense: Float64Array.from(numbers, (number) => dense[number]),
      sentence: Float64Array.from(numbers, (number) => sentence[number]),
    }),
  };
}

/**
 * The mean cosine of the best few candidates of each one's page: what is found among its like is surer.
 * @param {Float64Array} dense
 * @param {Part[]} parts
 * @param {number} few
 */
function around(dense, parts, few) {
  /** @type {Map<string, number[]>} */
  const pages = new Map();
  const pageOf = (/** @type {Part} */ { shard, part }) => shard.sections[shard.sectionOfPart[part]].url;
  parts.forEach((part, at) => pages.set(pageOf(part), [...pages.get(pageOf(part)) ?? [], dense[at]]));
  const means = new Map([...pages].map(([url, all]) => {
    const nearest = all.sort((a, b) => b - a).slice(0, few);
    return [url, nearest.reduce((sum, cosine) => sum + cosine, 0) / nearest.length];
  }));
  return Float64Array.from(parts, (part) => means.get(pageOf(part)) ?? 0);
}

/**
 * The cosine of each part's section title; NaN where the index has no vector of it.
 * @param {Float32Array} vector
 * @param {Part[]} parts
 */
async function titles(vector, parts) {
  const scores = await Promise.all(parts.map(async ({ shard, part }) => {
    const vectors = await shard.vectors();
    const row = vectors.ofTitles[shard.sectionOfPart[part]];
    return row < 0 ? NaN : cosines(vector, vectors, [row])[0];
  }));
  return Float64Array.from(scores);
}

/**
 * @param {Float32Array[]} query
 * @param {Part[]} parts
 */
async function tokens(query, parts) {
  const scores = new Float64Array(parts.length);
  for (const shard of new Set(parts.map((part) => part.shard))) {
    const [packed, { ofParts }] = await Promise.all([shard.tokens(), shard.vectors()]);
    const own = parts.flatMap((part, at) => (part.shard === shard ? [at] : []));
    tokenSimilarities(query, packed, own.map((at) => ofParts[parts[at].part])).forEach((score, at) => { scores[own[at]] = score; });
  }
  return scores;
}
