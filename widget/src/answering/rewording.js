import { distance } from '../search/vocabulary.js';
import { countsOf } from './term-counts.js';
import { termsOf } from './terms.js';

/**
 * A question's words as the site has them (`pincite_core.search.rewording`, `spelling`, `compounds`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').Query} Query
 */

/** Fewest letters of a word that may be misspelled, and from how many on two may be wrong. */
const SHORTEST = 5;
const LONG = 8;
const LETTERS = /^[a-z]+$/iu;

/** Words of a question that are cut, and letters of a part and of a word, as compounds have them. */
const MOST_PARTED = 4;
const SHORTEST_PART = 4;
const SHORTEST_FIRST = 3;
const COMPOUND = /^\p{L}{7,40}$/u;
const MOST_PARTS = 5;

/** In, as, to: written in one word with what follows. */
const ARABIC_PREPOSITION = /^[بكل].../u;

/**
 * The query with misspelled words as the site spells them; names and code stay as they are.
 * @param {Library} library
 * @param {Query} query
 * @returns {Promise<Query>}
 */
export async function respelled(library, query) {
  const unknown = await unknownOf(library, query);
  if (unknown.size === 0) return query;
  const terms = await Promise.all(query.terms.map((term) => (unknown.has(term) ? spelled(library, term) : term)));
  return { ...query, terms: [...new Set(terms)] };
}

/**
 * The query with words that the site never writes cut into ones that it does; names stay whole.
 * @param {Library} library
 * @param {Query} query
 * @returns {Promise<Query>}
 */
export async function parted(library, query) {
  const links = library.facts.tables.links[library.language];
  if (!links && library.language !== 'ar') return query;
  const unknown = await unknownOf(library, query);
  const looked = new Set(query.terms.filter((term) => unknown.has(term)).slice(0, MOST_PARTED));
  const terms = query.terms.flatMap((term) => {
    const parts = looked.has(term) ? links ? partsOf(library, term, links) : withoutPreposition(library, term) : [];
    return parts.length > 0 ? parts : [term];
  });
  return { ...query, terms: [...new Set(terms)] };
}

/** @param {Library} library @param {Query} query */
async function unknownOf(library, { terms, names, codes }) {
  const kept = new Set([...names, ...codes.flatMap((code) => termsOf(library, code))]);
  const counts = await countsOf(library, terms);
  return new Set(counts.filter(({ term, anywhere }) => anywhere === 0 && !kept.has(term)).map(({ term }) => term));
}

/**
 * The term that a misspelled word most likely stands for; itself when none is near. Of the nearest the one that occurs most.
 * @param {Library} library
 * @param {string} word
 */
async function spelled(library, word) {
  const bare = library.lexicon.withoutEnding(word);
  if (bare.length < SHORTEST || !LETTERS.test(bare)) return word;
  const wrong = bare.length < LONG ? 1 : 2;
  /** @type {Map<string, number>} */
  const near = new Map();
  for (const { vocabulary, terms } of library.shards) {
    for (const [form, number] of vocabulary.near(bare)) {
      const away = form === terms[number] && LETTERS.test(form) ? distance(form, bare, wrong) : Infinity;
      if (away <= wrong) near.set(form, away);
    }
  }
  const counts = await countsOf(library, near.keys());
  const away = (/** @type {string} */ term) => near.get(term) ?? wrong;
  counts.sort((a, b) => away(a.term) - away(b.term) || b.anywhere - a.anywhere || (a.term < b.term ? -1 : 1));
  return counts[0]?.term ?? word;
}

/**
 * The known words that make up a word, as few as can be; of equally many those with the longest first one.
 * @param {Library} library
 * @param {string} word
 * @param {string[]} links
 */
function partsOf(library, word, links) {
  if (!COMPOUND.test(word)) return [];
  const isKnown = (/** @type {string} */ part, least = SHORTEST_PART) => part.length >= least
    && library.shards.some(({ vocabulary }) => !vocabulary.exactly(library.lexicon.termOf(part)).next().done);
  const withoutLink = (/** @type {string} */ first, /** @type {number} */ least) => (
    ['', ...links].filter((link) => first.endsWith(link)).map((link) => first.slice(0, first.length - link.length))
      .find((part) => isKnown(part, least)));
  return fewest(word, MOST_PARTS, isKnown, withoutLink).map(library.lexicon.termOf);
}

/**
 * @param {string} word
 * @param {number} most
 * @param {(part: string) => boolean} isKnown
 * @param {(first: string, least: number) => string | undefined} withoutLink
 * @param {number} [least]  Letters of the first part.
 * @returns {string[]}
 */
function fewest(word, most, isKnown, withoutLink, least = SHORTEST_FIRST) {
  /** @type {string[]} */
  let best = [];
  for (let end = word.length - SHORTEST_PART; end >= SHORTEST_FIRST; end -= 1) {
    const first = withoutLink(word.slice(0, end), least);
    if (!first) continue;
    const rest = word.slice(end);
    if (isKnown(rest)) return [first, rest];
    const others = most > 2 ? fewest(rest, most - 1, isKnown, withoutLink, SHORTEST_PART) : [];
    if (others.length > 0 && (best.length === 0 || others.length + 1 < best.length)) best = [first, ...others];
  }
  return best;
}

/** @param {Library} library @param {string} term */
function withoutPreposition({ lexicon, shards }, term) {
  if (!ARABIC_PREPOSITION.test(term)) return [];
  const rest = term.slice(1);
  const isKnown = shards.some(({ vocabulary }) => !vocabulary.exactly(rest).next().done);
  return isKnown ? [lexicon.termOf(rest)] : [];
}
