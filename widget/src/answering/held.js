import { RUN_OR_WORD, RUN, plain } from '../search/cut.js';
import { titleOf } from './priors.js';

/**
 * Which of a question's terms the best sections hold (`pincite_core.search.ranking`, `compounds`, `whole_words`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').TermCounts} TermCounts
 */

/** Languages written in letters without blanks: a text has most pairs of signs of any question, so a word must stand there. */
const WRITTEN_IN_LETTERS = /^(?:th|lo|km|my)$/u;
const WORD_SIGNS = 4;
const SIGN = /.\p{M}*/gsu;

/** Letters of a part of a compound, and how many more the compound has. */
const SHORTEST_PART = 4;
const SHORTEST_REST = 3;

/**
 * @param {Library} library
 * @param {import('./candidates.js').Part[]} parts  The best of each section.
 * @param {TermCounts[]} counts  Of the terms asked for.
 * @returns {Promise<Set<string>>}
 */
export async function heldTerms(library, parts, counts) {
  const numbers = new Set(parts.map(({ shard, part }) => shard.firstPart + part));
  const stands = (/** @type {Omit<TermCounts, 'term'>} */ { columns: { body, headings, page } }) => (
    [body, headings, page].some((column) => column.parts.some((part) => numbers.has(part))));
  const isCompounding = library.language in library.facts.tables.links;
  const held = new Set();
  await Promise.all(counts.map(async (count) => {
    if (stands(count) || (isCompounding && await inCompound(library, count.term, stands))) held.add(count.term);
  }));
  return WRITTEN_IN_LETTERS.test(library.language) ? asWords(held, counts.map(({ term }) => term), parts) : held;
}

/**
 * Whether a term is the beginning or the end of a word that stands there.
 * @param {Library} library
 * @param {string} term
 * @param {(counts: Omit<TermCounts, 'term'>) => boolean} stands
 */
async function inCompound({ shards }, term, stands) {
  if (term.length < SHORTEST_PART) return false;
  const found = shards.flatMap((shard) => shard.terms
    .filter((other) => other.length >= term.length + SHORTEST_REST && (other.startsWith(term) || other.endsWith(term)))
    .map(async (other) => {
      const { columns, ...rest } = await shard.counts(other);
      const moved = Object.fromEntries(Object.entries(columns)
        .map(([name, { parts, times }]) => [name, { parts: parts.map((part) => part + shard.firstPart), times }]));
      return stands({ ...rest, columns: /** @type {TermCounts['columns']} */ (moved) });
    }));
  return (await Promise.all(found)).some(Boolean);
}

/**
 * The terms without the pairs of signs that a text holds by chance: what counts stands there as long as a word is.
 * @param {Set<string>} held
 * @param {string[]} asked  A question's terms in order.
 * @param {import('./candidates.js').Part[]} parts
 */
async function asWords(held, asked, parts) {
  const texts = await Promise.all(parts.map(({ shard, part }) => shard.text(part)));
  const titles = parts.flatMap(({ shard, part }) => {
    const section = shard.sections[shard.sectionOfPart[part]];
    return [section.page, ...section.path, titleOf(section)];
  });
  const words = new Set([...texts, ...titles].flatMap(wordsIn));
  const [pairs, whole] = [new Set(), new Set()];
  for (const run of runsOf(asked)) {
    pairsOf(run).forEach((pair) => pairs.add(pair));
    for (let at = 0; at <= Math.max(0, run.length - WORD_SIGNS); at += 1) {
      const word = run.slice(at, at + WORD_SIGNS);
      const isThere = word.length === WORD_SIGNS ? words.has(word.join('')) : pairsOf(word).every((pair) => held.has(pair));
      if (isThere) pairsOf(word).forEach((pair) => whole.add(pair));
    }
  }
  return new Set([...held].filter((term) => whole.has(term) || !pairs.has(term)));
}

/** The runs of signs that a question's pairs were cut from, as far as each begins where the last one ends. @param {string[]} asked */
function runsOf(asked) {
  /** @type {string[][]} */
  const runs = [];
  for (const term of asked) {
    const signs = RUN.test(term) ? term.match(SIGN) ?? [] : [];
    if (signs.length !== 2) continue;
    if (runs.at(-1)?.at(-1) === signs[0]) runs.at(-1)?.push(signs[1]);
    else runs.push([...signs]);
  }
  return runs;
}

/** Whatever in a text is as long as a word. @param {string} text */
function wordsIn(text) {
  return [...plain(text).matchAll(RUN_OR_WORD)].filter(([run]) => RUN.test(run)).flatMap(([run]) => {
    const signs = run.match(SIGN) ?? [];
    return signs.slice(WORD_SIGNS - 1).map((_, at) => signs.slice(at, at + WORD_SIGNS).join(''));
  });
}

/** @param {string[]} signs */
const pairsOf = (signs) => signs.slice(1).map((sign, at) => signs[at] + sign);
