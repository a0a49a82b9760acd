import { formsOf, LONE_KANJI, PARTICLES, plain, RUN, RUN_OR_WORD, SIGN } from '../search/cut.js';
import { range } from '../search/numbers.js';
import { rules } from './rules.js';
/** @import {Library} from './types.js' */

/** @typedef {Pick<Library, 'lexicon' | 'language'>} Words */

/**
 * The terms of a text, in order, with repeats: words with their parts, then pairs of signs (`pincite_core.search.terms`).
 * @param {Words} library @param {string} text
 */
export function termsOf({ lexicon, language }, text) {
  /** @type {[words: string[], pairs: string[]]} */
  const [words, pairs] = [[], []];
  for (const [found] of plain(text).matchAll(RUN_OR_WORD)) {
    const forms = formsOf(found);
    if (!RUN.test(found)) words.push(...forms);
    else pairs.push(...forms, ...language === 'ja' && found.length > 1 ? found.match(LONE_KANJI) ?? [] : []);
  }
  return [...words, ...pairs].map(lexicon.termOf);
}

/** The terms of a question without stop words; all terms if there are only stop words. @param {Words} library @param {string} text */
export function contentTerms(library, text) {
  const { asking, isSmall } = library.lexicon;
  const told = asking ? termsOf(library, text.replace(asking, ' ')) : [];
  const found = told.length > 0 ? told : termsOf(library, text);
  const telling = found.filter((term) => !isSmall(term) && !(library.language === 'ja' && PARTICLES.test(term)));
  return telling.length > 0 ? telling : found;
}

/** The first term of a word, which is the whole of it. @param {Words} library @param {string} word */
export function firstTerm({ lexicon }, word) {
  const found = [...plain(word).matchAll(RUN_OR_WORD)].map(([part]) => part);
  const first = found.find((part) => !RUN.test(part)) ?? found[0];
  return first === undefined ? undefined : lexicon.termOf(formsOf(first)[0]);
}

/**
 * The asked terms that a text contains, also as the beginning or end of a compound (`search.compounds.held_terms`).
 * @param {Library} library @param {string} text @param {Iterable<string>} asked
 */
export function heldTerms(library, text, asked) {
  const { shortest_part: shortest, shortest_first: rest } = rules.spelling;
  const said = new Set(termsOf(library, text));
  const isCompounding = library.language in library.facts.links;
  const inside = (/** @type {string} */ term) => isCompounding && term.length >= shortest
    && [...said].some((word) => word.length >= term.length + rest && (word.startsWith(term) || word.endsWith(term)));
  return new Set([...asked].filter((term) => said.has(term) || inside(term)));
}

/**
 * Matched terms without the pairs of signs that match by chance, in scripts of letters without spaces (`search.cjk_bigrams`).
 * @param {Set<string>} held @param {string[]} asked  A question's terms, in order. @param {string} text @param {string} language
 */
export function heldAsWords(held, asked, text, language) {
  const { written_in_letters: scripts, word_signs: length } = rules.spelling;
  if (!scripts.includes(language)) return held;
  const words = new Set([...plain(text).matchAll(RUN_OR_WORD)].filter(([run]) => RUN.test(run)).flatMap(([run]) => {
    const signs = run.match(SIGN) ?? [];
    return range(0, signs.length - length + 1).map((at) => signs.slice(at, at + length).join(''));
  }));
  const [pairs, whole] = [new Set(), new Set()];
  for (const run of runsOf(asked)) {
    pairsOf(run).forEach((pair) => pairs.add(pair));
    for (const at of range(0, Math.max(0, run.length - length) + 1)) {
      const word = run.slice(at, at + length);
      const isThere = word.length === length ? words.has(word.join('')) : pairsOf(word).every((pair) => held.has(pair));
      if (isThere) pairsOf(word).forEach((pair) => whole.add(pair));
    }
  }
  return new Set([...held].filter((term) => whole.has(term) || !pairs.has(term)));
}

/** The runs of signs that a question's pairs were cut from; a pair that begins where a run ends goes on with it. @param {string[]} asked */
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

/** @param {string[]} signs */
const pairsOf = (signs) => signs.slice(1).map((sign, at) => signs[at] + sign);

/** A text without some characters at its ends. @param {string} text @param {string} marks */
export function stripped(text, marks) {
  let [start, end] = [0, text.length];
  while (start < end && marks.includes(text[start])) start += 1;
  while (end > start && marks.includes(text[end - 1])) end -= 1;
  return text.slice(start, end);
}
