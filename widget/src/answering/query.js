import { patternOf } from './patterns.js';
import { contentTerms, firstTerm } from './terms.js';

/**
 * A reader's question, cut into what the rankers understand (`pincite_core.search.query`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').Query} Query
 */

const NAME = /\p{L}[\p{L}\p{N}_+#]*(?:[.-][\p{L}\p{N}_]+)*/gu;
const DIGIT = /\d/u;
const SENTENCE_END = /[.?!:]$/u;
const CAPITALISED = /^\p{Lu}(?=.*\p{Ll})[^\p{Lu}]+$/u;

/** Letters of a word that tells whether a text is a title, and one word in how many has a capital there. */
const TELLING_LENGTH = 4;
const CAPITALS_OF_A_TITLE = 2;

/**
 * The question without tracker prefixes, stack frames and the marks of code fences.
 * @param {Library} library
 * @param {string} text
 * @returns {Query}
 */
export function parseQuery(library, text) {
  const { facts: { tables }, language } = library;
  const told = text.replace(patternOf(tables, 'fence'), '$1').replace(patternOf(tables, 'stack_line'), '');
  const stripped = told.replace(patternOf(tables, 'tracker_prefix'), '').trim() || told.trim();
  const terms = [...new Set(contentTerms(library, stripped))].slice(0, tables.most.terms);
  const names = [...new Set(namesOf(library, stripped))].filter((name) => terms.includes(name));
  return { text: stripped, terms, codes: codesOf(tables, stripped).slice(0, tables.most.codes), names, language };
}

/** The codes that name one thing: error codes, issue numbers, versions. @param {Query} query */
export const codesWithDigits = ({ codes }) => codes.filter((code) => DIGIT.test(code));

/**
 * @param {import('./types.js').AnswersTables} tables
 * @param {string} text
 */
function codesOf(tables, text) {
  return [...new Set([...text.matchAll(patternOf(tables, 'code'))].map(([code]) => code.toLowerCase()))];
}

/**
 * The terms of words that are spelled as names: with a capital inside a sentence, or with digits.
 * @param {Library} library
 * @param {string} text
 */
function* namesOf(library, text) {
  const words = [...text.matchAll(NAME)];
  const isTitle = library.facts.tables.names_nouns.includes(library.language) || looksLikeTitle(words.slice(1).map(([word]) => word));
  for (const { 0: word, index } of words) {
    const before = text.slice(0, index).trimEnd();
    if (CAPITALISED.test(word) && (isTitle || !before || SENTENCE_END.test(before))) continue;
    if ((word !== word.toLowerCase() && [...word].length > 1) || DIGIT.test(word)) {
      const term = firstTerm(library, word);
      if (term !== undefined) yield term;
    }
  }
}

/** @param {string[]} words */
function looksLikeTitle(words) {
  const telling = words.filter((word) => [...word].length >= TELLING_LENGTH);
  return telling.filter((word) => CAPITALISED.test(word)).length * CAPITALS_OF_A_TITLE >= Math.max(telling.length, 1);
}
