import { plain } from './cut.js';
import { lengthNorm, oddsAgainst, saturated, sum } from './numbers.js';
import { COLUMNS } from './shard.js';

/**
 * What the words find: BM25 over the fields of a section (BM25F); a word that is still being typed counts as any that it may become.
 *
 * @typedef {import('./shard.js').Shard} Shard
 * @typedef {import('./cut.js').Word} Word
 * @typedef {Map<number, number>} Terms  By their numbers, how surely each is meant: 0 to 1.
 *
 * @typedef {object} Hit
 * @property {Shard} shard
 * @property {number} part  The part of the section that fits best.
 * @property {import('./shard.js').Section} section
 * @property {number} score
 */

/**
 * How a section is weighed. `times` is the most that counts in a place, and `around` is how much its page's others add; the last row is
 * what a word is worth that is not the docs'.
 */
export const WEIGHTS = {
  body: 1, headings: 3, links: 0.5, page: 1, times: 8, k1: 1.5, b: 0.75, coverage: 0.25, around: 0.3, blog: 0.85,
  completion: 0.9, family: 0.7, near: 0.5,
};

/**
 * @param {Word[]} words
 * @param {Shard[]} shards
 * @param {typeof WEIGHTS} [weights]
 * @returns {Promise<{hits: Hit[], forms: Set<string>}>} Sections, best first, and the spellings of what was looked for.
 */
export async function rank(words, shards, weights = WEIGHTS) {
  const parts = sum(shards.map(({ lengths }) => lengths.length));
  const average = sum(shards.map(({ lengths }) => sum(lengths))) / parts || 1;
  const meant = words.map((word) => alternatives(word, shards, weights));
  const found = await Promise.all(meant.map((terms) => (
    Promise.all(shards.map((shard, at) => strengths(shard, terms[at], weights, average))))));
  const rarities = found.map((of) => Math.log(1 + oddsAgainst(parts, sum(of.map(({ size }) => size)))));
  const whole = sum(rarities) || 1;
  const hits = shards.flatMap((shard, at) => {
    /** @type {Map<number, [score: number, covered: number]>} */
    const scores = new Map();
    found.forEach((of, word) => of[at].forEach((strength, part) => {
      const [score, covered] = scores.get(part) ?? [0, 0];
      scores.set(part, [score + rarities[word] * strength, covered + rarities[word]]);
    }));
    return sectionsOf(shard, scores, whole, weights);
  });
  const forms = new Set(meant.flatMap((of) => of.flatMap((terms, at) => [...terms.keys()].flatMap(shards[at].vocabulary.spellings))));
  return { hits: hits.sort((a, b) => b.score - a.score), forms };
}

/**
 * The terms of each shard that a word may mean: as it is spelled; otherwise what it may become, its family, or what is spelled nearly so.
 * @param {Word} word
 * @param {Shard[]} shards
 * @param {typeof WEIGHTS} weights
 * @returns {Terms[]}
 */
function alternatives({ form, open }, shards, weights) {
  const bare = plain(form.normalize('NFD').replace(/\p{M}/gu, ''));
  const exact = shards.map(({ vocabulary }) => termsOf(vocabulary.exactly(form), () => 1));
  const known = exact.some(({ size }) => size > 0);
  const completed = (/** @type {string} */ other) => weights.completion * (0.5 + 0.5 * form.length / other.length);
  if (open) shards.forEach(({ vocabulary }, at) => termsOf(vocabulary.beginning(form), completed, exact[at]));
  if (known || exact.some(({ size }) => size > 0)) return exact;
  for (const look of [
    (/** @type {Shard} */ { vocabulary }) => termsOf(vocabulary.exactly(bare), () => 1),
    (/** @type {Shard} */ { vocabulary }) => termsOf(vocabulary.family(form), () => weights.family),
    (/** @type {Shard} */ { vocabulary }) => termsOf(vocabulary.near(form), () => weights.near),
  ]) {
    const terms = shards.map(look);
    if (terms.some(({ size }) => size > 0)) return terms;
  }
  return exact;
}

/**
 * @param {Iterable<[form: string, term: number]>} entries
 * @param {(form: string) => number} factorOf
 * @param {Terms} [terms]  Are added to; what is there stays.
 * @returns {Terms}
 */
function termsOf(entries, factorOf, terms = new Map()) {
  for (const [form, term] of entries) {
    if (!terms.has(term)) terms.set(term, factorOf(form));
  }
  return terms;
}

/**
 * How strongly any of some terms stands in the parts of a shard: 0 to k1 + 1, nothing for where none does.
 * @param {Shard} shard
 * @param {Terms} terms
 * @param {typeof WEIGHTS} weights
 * @param {number} average  Length of a part.
 */
async function strengths(shard, terms, weights, average) {
  /** @type {Map<number, number>} */
  const best = new Map();
  const rows = await Promise.all([...terms].map(async ([term, factor]) => ({ factor, counts: await shard.counts(term) })));
  for (const { factor, counts } of rows) {
    for (const [part, weight] of weighed(shard, counts, weights, average)) {
      const strength = factor * saturated(weight, weights.k1);
      if (strength > (best.get(part) ?? 0)) best.set(part, strength);
    }
  }
  return best;
}

/**
 * How often a term stands in each part that has it, by the columns' weights.
 * @param {Shard} shard
 * @param {Awaited<ReturnType<Shard['counts']>>} counts
 * @param {typeof WEIGHTS} weights
 * @param {number} average
 */
function weighed({ lengths }, counts, weights, average) {
  /** @type {Map<number, number>} */
  const held = new Map();
  for (const column of COLUMNS) {
    counts[column].parts.forEach((part, at) => {
      const norm = column === 'body' ? lengthNorm(lengths[part], average, weights.b) : 1;
      held.set(part, (held.get(part) ?? 0) + weights[column] * Math.min(counts[column].times[at], weights.times) / norm);
    });
  }
  return held;
}

/**
 * The sections of a shard that hold anything, each by its best part; one whose neighbours on the page fit as well is a little surer.
 * @param {Shard} shard
 * @param {Map<number, [score: number, covered: number]>} scores
 * @param {number} whole  What covers all words.
 * @param {typeof WEIGHTS} weights
 * @returns {Hit[]}
 */
function sectionsOf(shard, scores, whole, weights) {
  /** @type {Map<import('./shard.js').Section, Hit>} */
  const best = new Map();
  /** @type {Map<string, number>} */
  const pages = new Map();
  for (const [part, [sum, covered]] of scores) {
    const section = shard.sections[shard.sectionOfPart[part]];
    const score = sum * (covered / whole) ** weights.coverage * (section.kind === 'blog' ? weights.blog : 1);
    if (score > (best.get(section)?.score ?? 0)) best.set(section, { shard, part, section, score });
  }
  const hits = [...best.values()].sort((a, b) => b.score - a.score);
  const seen = new Map();
  for (const { section: { url }, score } of hits) {
    const rank = seen.get(url) ?? 0;
    seen.set(url, rank + 1);
    if (rank < 3) pages.set(url, (pages.get(url) ?? 0) + score / 3);
  }
  return hits.map((hit) => ({ ...hit, score: hit.score + weights.around * (pages.get(hit.section.url) ?? 0) }));
}
