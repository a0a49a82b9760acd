import { contentTerms } from './terms.js';
import { phrasesOf, regexp } from './phrases.js';
import { askedIn } from './language-detection.js';

/**
 * A follow-up read together with the question before it: "and for blogs?", "why?" (`question/follow_ups.py`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').Phrases} Phrases
 * @typedef {import('./types.js').Requests} Requests
 */

const LONGEST = 300; // Characters of what came before.
const MOST_WORDS = 10;
const MOST_TERMS = 4;
const MOST_BEFORE = 1;
const WORDS_A_TERM = 3;
const FRAGMENT_WORDS = 4;
const PHRASE_WORDS = 4;

const WORD = /[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}_]+)*/gu;
const CJK = /[\u3040-\u30ff\u3400-\u9fff]/gu;
const QUOTED = /[`"“«「\n]|[\p{L}\p{N}_]\(|:\/\/|^(?:AND|OR|NOT)(?![\p{L}\p{N}_])/u;
const ASKED = /[?？؟]\s*$/u;
const ENDS = /[?？؟.!。！…]$/u;
const AROUND = /^[ \t\r\n¿¡,;:–—-]+|[ \t\r\n¿¡,;:–—-]+$/gu;
const MARKS = /^[ \t\r\n¿¡,、?？؟.!。！…]+|[ \t\r\n¿¡,、?？؟.!。！…]+$/gu;

/**
 * A follow-up as it reads together with what was asked before it; null for a question that stands alone.
 * @param {Library} library
 * @param {Requests} requests
 * @param {string} query
 * @param {string[]} asked  Earlier questions, the oldest first.
 */
export async function readTogether(library, requests, query, asked) {
  if (asked.length === 0) return null;
  const read = (/** @type {string} */ question) => reading(library, requests, question);
  const own = await read(query);
  if (!own.isFollowUp) return null;
  const earlier = await Promise.all(asked.map(read));
  const whole = earlier.findLastIndex(({ isFollowUp }) => !isFollowUp);
  if (whole < 0 || own.isForeign) return null;
  let joined = asked[whole].trim();
  for (const { question, phrases, bare } of [...earlier.slice(whole + 1), own]) {
    joined = join(joined.slice(0, LONGEST).trim(), question.trim(), bare, phrases);
  }
  return joined;
}

/**
 * @param {Library} library
 * @param {Requests} requests
 * @param {string} question
 */
async function reading(library, requests, question) {
  const phrases = await phrasesOf(library, askedIn(question, library.locale, requests));
  const finds = (/** @type {import('./types.js').FollowUpNames} */ name, /** @type {string} */ text) => (
    phrases.follow_ups ? regexp(phrases.follow_ups[name]).exec(text) : null);
  const bare = phrases.follow_ups ? question.replace(AROUND, '').replace(regexp(phrases.follow_ups.polite), '').replace(MARKS, '') : question.trim();
  const relational = phrases.relational?.split(' ') ?? [];
  const isRelational = (/** @type {string} */ term) => relational.some((stem) => term.startsWith(stem));
  const named = (/** @type {string} */ text) => namedIn(library, requests, text);
  const weigh = (/** @type {string} */ text) => (relational.length > 0 ? named(text).size : lengthOf(text) / WORDS_A_TERM);
  const telling = [...named(question)].filter((term) => !isRelational(term));
  const known = telling.filter((term) => library.shards.some(({ terms }) => terms.includes(term))).length;

  const isQuestion = !!finds('asks', bare);
  const isAsked = isQuestion || ASKED.test(question);
  function leans() {
    if (finds('whole', bare)) return true;
    const weight = weigh(bare);
    if (weight > MOST_TERMS) return false;
    const leads = finds('leads', bare);
    const isFragment = isAsked && !!leads && !leads.groups?.opening && lengthOf(bare) <= FRAGMENT_WORDS;
    const pronoun = finds('pronouns', bare);
    const isWish = !isAsked && weight > MOST_BEFORE;
    return isFragment || !!finds('opens', bare) || !!finds('closes', bare)
      || (!!pronoun && !isWish && weigh(bare.slice(0, pronoun.index)) <= MOST_BEFORE);
  }
  const couldBe = !!bare && !QUOTED.test(bare) && lengthOf(bare) <= MOST_WORDS;
  const isFollowUp = couldBe && (leans() || (isQuestion && relational.length > 0 && [...named(bare)].every(isRelational)));
  return { question, phrases, bare, isFollowUp, isForeign: telling.length > 0 && 2 * known <= telling.length };
}

/**
 * Puts a follow-up after a question, or a phrase in place of the one like it at the question's end.
 * @param {string} before
 * @param {string} query
 * @param {string} bare
 * @param {Phrases} phrases
 */
function join(before, query, bare, phrases) {
  const { by = '', phrase = '' } = (phrases.follow_ups && regexp(phrases.follow_ups.leads).exec(bare)?.groups) ?? {};
  const words = phrase ? [...before.matchAll(WORD)].slice(1).slice(-PHRASE_WORDS, -1) : [];
  const same = words.find(([word]) => word.toLowerCase() === by.toLowerCase());
  if (same) return `${before.slice(0, same.index)}${phrase}?`;
  return ENDS.test(before) ? `${before} ${query}` : `${before}? ${query}`;
}

/** Words; a sign of Chinese or Japanese is half a word. @param {string} text */
function lengthOf(text) {
  return (text.match(CJK)?.length ?? 0) / 2 + (text.replace(CJK, ' ').match(WORD)?.length ?? 0);
}

/**
 * The telling terms of a text; none when it has small words alone.
 * @param {Library} library
 * @param {Requests} requests
 * @param {string} text
 */
function namedIn(library, requests, text) {
  const small = new Set(requests.small_words.en.split(' '));
  return new Set(contentTerms(library, text).filter((term) => !small.has(term)));
}
