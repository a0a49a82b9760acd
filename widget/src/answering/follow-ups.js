import { askedIn, phrasesOf } from './phrases.js';
import { contentTerms, stripped } from './query.js';
import { every, regexp, rules } from './rules.js';
/** @import {FollowUpNames, Library, Phrases, Requests} from './types.js' */

/**
 * A follow-up ("and for blogs?", "why?") combined with the questions before (`question/follow_ups.py`), the oldest first; else null.
 * @param {Library} library @param {Requests} requests @param {string} query @param {string[]} asked
 */
export async function expandFollowUp(library, requests, query, asked) {
  const read = (/** @type {string} */ question) => readQuestion(library, requests, question);
  const own = await read(query);
  if (!own.isFollowUp) return null;
  const earlier = await Promise.all(asked.map(read));
  const whole = earlier.findLastIndex(({ isFollowUp }) => !isFollowUp);
  if (whole < 0 || own.isForeign) return null;
  let joined = asked[whole].trim();
  for (const { question, phrases, bare } of [...earlier.slice(whole + 1), own]) {
    joined = join(joined.slice(0, rules.follow_ups.longest).trim(), question.trim(), bare, phrases);
  }
  return joined;
}

/** @param {Library} library @param {Requests} requests @param {string} question */
async function readQuestion(library, requests, question) {
  const { follow_ups: most } = rules;
  const phrases = await phrasesOf(library, askedIn(question, library.table, requests));
  const forms = phrases.follow_ups;
  const finds = (/** @type {FollowUpNames} */ name, /** @type {string} */ text) => (forms ? regexp(forms[name]).exec(text) : null);
  const bare = forms ? stripped(stripped(question, most.before_words).replace(regexp(forms.polite), ''), most.after_words) : question.trim();
  const relational = phrases.relational?.split(' ') ?? [];
  const isRelational = (/** @type {string} */ term) => relational.some((stem) => term.startsWith(stem));
  const small = new Set(requests.small_words.en.split(' '));
  const named = (/** @type {string} */ text) => new Set(contentTerms(library, text).filter((term) => !small.has(term)));
  const weigh = (/** @type {string} */ text) => (relational.length > 0 ? named(text).size : lengthOf(text) / most.words_a_term);
  const telling = [...named(question)].filter((term) => !isRelational(term));
  const known = telling.filter((term) => library.shards.some(({ terms }) => terms.includes(term))).length;

  const isQuestion = !!finds('asks', bare);
  const isAsked = isQuestion || most.question_marks.includes(question.trimEnd().at(-1) ?? ' ');
  function leans() {
    if (finds('whole', bare)) return true;
    const weight = weigh(bare);
    if (weight > most.most_terms) return false;
    const leads = finds('leads', bare);
    const isFragment = isAsked && !!leads && !leads.groups?.opening && lengthOf(bare) <= most.fragment_words;
    const pronoun = finds('pronouns', bare);
    const isWish = !isAsked && weight > most.most_before;
    return isFragment || !!finds('opens', bare) || !!finds('closes', bare)
      || (!!pronoun && !isWish && weigh(bare.slice(0, pronoun.index)) <= most.most_before);
  }
  const couldBe = !!bare && !most.quoted.test(bare) && lengthOf(bare) <= most.most_words;
  const isFollowUp = couldBe && (leans() || (isQuestion && relational.length > 0 && [...named(bare)].every(isRelational)));
  return { question, phrases, bare, isFollowUp, isForeign: telling.length > 0 && 2 * known <= telling.length };
}

/**
 * Appends a follow-up to a question, or replaces the question's last phrase with the similar one.
 * @param {string} before @param {string} query @param {string} bare @param {Phrases} phrases
 */
function join(before, query, bare, phrases) {
  const { word: pattern, phrase_words: most, ends } = rules.follow_ups;
  const { by = '', phrase = '' } = (phrases.follow_ups && regexp(phrases.follow_ups.leads).exec(bare)?.groups) ?? {};
  const words = phrase ? [...before.matchAll(every(pattern))].slice(1).slice(-most, -1) : [];
  const same = words.find(([word]) => word.toLowerCase() === by.toLowerCase());
  if (same) return `${before.slice(0, same.index)}${phrase}?`;
  return ends.includes(before.at(-1) ?? ' ') ? `${before} ${query}` : `${before}? ${query}`;
}

/** Words; a sign of Chinese or Japanese is half a word. @param {string} text */
function lengthOf(text) {
  const { cjk, word } = rules.follow_ups;
  return (text.match(every(cjk))?.length ?? 0) / 2 + (text.replace(every(cjk), ' ').match(every(word))?.length ?? 0);
}
