import { every, rules } from './rules.js';
/** @import {Requests} from './types.js' */

/** The language of a question, as far as its letters and stop words tell (`phrasing/languages.py`, `wording`). */

/** The table that a page's language is read by. @param {string} tag  BCP 47. */
export function tableOf(tag) {
  const [language, ...rest] = tag.toLowerCase().split(/[-_]/u);
  const isTraditional = !rest.includes('hans') && rest.some((part) => rules.language.traditional.includes(part));
  return language === 'zh' && isTraditional ? 'zh-Hant' : language;
}

/** The language that the letters of a text have alone. @param {string} text @returns {string | undefined} */
const scriptOf = (text) => rules.language.scripts.find((/** @type {[string, RegExp]} */ [, script]) => script.test(text))?.[0];

/**
 * The language of a question whose letters are not those of the page's; null if they tell none.
 * @param {string} question
 * @param {string} locale
 */
function foreignScript(question, locale) {
  const { word, latin, signs_a_word: signs } = rules.language;
  const words = question.match(every(word)) ?? [];
  const others = words.filter((one) => !latin.test(one)).join('');
  const [language, here] = [scriptOf(others), tableOf(locale).slice(0, 2)];
  if (!language || language === here || others.length <= 1 || (language === 'zh' && here === 'ja')) return null;
  if (['ar', 'fa'].includes(language) && ['ar', 'fa'].includes(here)) return null;
  return words.filter((one) => latin.test(one)).length > others.length / signs ? null : language;
}

/**
 * The language of a question that is surely in another than the page's, by its letters or most of its words; null if none is sure.
 * @param {string} question
 * @param {string} locale
 * @param {Requests} requests
 */
export function foreignLanguage(question, locale, requests) {
  const script = foreignScript(question, locale);
  if (script) return script;
  const here = tableOf(locale);
  const { language, count, more, words } = likeliest(question, here, requests);
  const isNear = rules.language.siblings.includes(language) && rules.language.siblings.includes(here);
  return language !== here && more > rules.language.sure && 2 * count >= words && !isNear ? language : null;
}

/** The language whose table a question is read by. @param {string} question @param {string} locale @param {Requests} requests */
export function askedIn(question, locale, requests) {
  const here = tableOf(locale);
  const script = foreignScript(question, locale);
  if (script) return script === 'zh' ? chineseOf(question, requests) : script;
  const { language, more, words } = likeliest(question, here, requests);
  return language !== here && more > 0 && (more >= rules.language.sure || 2 * more >= words) ? language : here;
}

/**
 * The language of most of a question's stop words.
 * @param {string} question
 * @param {string} here  The page's.
 * @param {Requests} requests
 */
function likeliest(question, here, requests) {
  const { word: pattern, most_words: most } = rules.language;
  const words = (question.match(every(pattern)) ?? []).slice(0, most).map((word) => word.toLowerCase());
  const counts = Object.entries(requests.small_words).map(([language, small]) => {
    const held = new Set(small.split(' '));
    return { language, count: words.filter((word) => held.has(word)).length };
  });
  const best = counts.reduce((one, other) => (other.count > one.count ? other : one));
  const own = counts.find(({ language }) => language === here)?.count ?? 0;
  return { ...best, more: best.count - own, words: words.length };
}

/**
 * The language of refusals and notices: the one that a question's letters give away, else the page's.
 * @param {string} question
 * @param {string} locale
 * @param {Requests} requests
 */
export function messageLanguage(question, locale, requests) {
  const { messages, vietnamese } = rules.language;
  const page = messages.includes(tableOf(locale)) ? tableOf(locale) : 'en';
  const language = scriptOf(question);
  if (language === 'zh') return ['ja', 'zh', 'zh-Hant'].includes(page) ? page : chineseOf(question, requests);
  if (language) return language === page || messages.includes(language) ? language : 'en';
  return vietnamese.test(question) ? 'vi' : page;
}

/** @param {string} text @param {Requests} requests */
function chineseOf(text, { signs }) {
  const count = (/** @type {string} */ own) => [...text].filter((sign) => own.includes(sign)).length;
  return count(signs['zh-Hant']) > count(signs.zh) ? 'zh-Hant' : 'zh';
}
