import { formsOf, LONE_KANJI, PARTICLES, plain, RUN, RUN_OR_WORD } from '../search/cut.js';

/** @typedef {Pick<import('./types.js').Library, 'lexicon' | 'language'>} Spoken */

/**
 * What a text is found by, in order, with repeats: words with their parts, then pairs of signs (`pincite_core.search.terms`).
 * @param {Spoken} library
 * @param {string} text
 */
export function termsOf({ lexicon, language }, text) {
  /** @type {string[]} */
  const words = [];
  /** @type {string[]} */
  const pairs = [];
  for (const [found] of plain(text).matchAll(RUN_OR_WORD)) {
    const forms = formsOf(found);
    if (!RUN.test(found)) words.push(...forms);
    else pairs.push(...forms, ...language === 'ja' && forms[0] !== found ? found.match(LONE_KANJI) ?? [] : []);
  }
  return [...words, ...pairs].map(lexicon.termOf);
}

/**
 * The terms of a question that tell of its subject; all of them when nothing else is left.
 * @param {Spoken} library
 * @param {string} text
 */
export function contentTerms(library, text) {
  const { asking, isSmall } = library.lexicon;
  const told = asking ? termsOf(library, text.replace(asking, ' ')) : [];
  const found = told.length > 0 ? told : termsOf(library, text);
  const telling = found.filter((term) => !isSmall(term) && !(library.language === 'ja' && PARTICLES.test(term)));
  return telling.length > 0 ? telling : found;
}

/**
 * The first term of a word, which is the whole of it.
 * @param {Spoken} library
 * @param {string} word
 */
export function firstTerm({ lexicon }, word) {
  const found = [...plain(word).matchAll(RUN_OR_WORD)].map(([part]) => part);
  const first = found.find((part) => !RUN.test(part)) ?? found[0];
  return first === undefined ? undefined : lexicon.termOf(formsOf(first)[0]);
}
