import { primary } from '../search/files.js';
import { every, regexp, rules } from './rules.js';
/** @import {Forms, Library, Phrases, Requests} from './types.js' */

/**
 * The language of a question, forms of questions, and messages, by the tables of the sidecar (`browser_bundle/phrases.py`); `here` is the
 * name of the page's own.
 */

/** The table of a language; empty if there is none. @param {Library} library @param {string} language @returns {Promise<Phrases>} */
export async function phrasesOf({ load, facts: { phrases } }, language) {
  return phrases[language] ? load(phrases[language]) : {};
}

/** @param {Library} library @returns {Promise<Requests>} */
export const requestsOf = ({ load, facts: { phrases } }) => load(phrases['']);

/** Whether a text has any of some forms. @param {Forms | undefined} forms @param {string} text */
export const foundIn = (forms, text) => Object.values(forms ?? {}).some((source) => regexp(source).test(text));

/** A text with a blank for each of the forms that may stand anywhere. @param {Forms | undefined} forms @param {string} text */
export const removedFrom = (forms, text) => (forms?.has ? text.replace(regexp(forms.has, 'giu'), ' ') : text);

/** The boundary that a question crosses, or null (`guards/boundaries.py`). @param {string} query @param {Requests} requests */
export function crossedBoundary(query, requests) {
  const said = query.trim();
  if (regexp(requests.code).test(said)) return 'code';
  const parts = query.split(rules.boundaries.sentence_end).map((part) => part.trim()).filter(Boolean);
  const plain = (/** @type {string} */ text) => text.normalize('NFKC').replace(/\p{Cf}/gu, '').toLowerCase().replace(/[ \t]+/gu, ' ');
  const dismisses = parts.length > 0 && parts.every((part) => regexp(requests.dismisses, 'u').test(plain(part)));
  if (dismisses || regexp(requests.act).test(said)) return 'act';
  return regexp(requests.realtime).test(said) ? 'realtime' : null;
}

/** Whether a question is about assistants: text that addresses them may answer it. @param {string} query @param {Requests} requests */
export function asksAboutAssistants(query, requests) {
  const text = query.normalize('NFKC');
  return regexp(requests.asks_about_assistants).test(text) || regexp(requests.names_of_assistants, 'u').test(text);
}

/** The messages of a language, with values in the places of names. @param {Library} library @param {string} language */
export async function wordingIn(library, language) {
  const { messages = {} } = await phrasesOf(library, language);
  return (/** @type {string} */ key, /** @type {Record<string, string>} */ values = {}) => (
    messages[key].replace(/\{(\w+)\}/gu, (_, name) => values[name]));
}

/** The name of a language in another. @param {string} tag @param {string} language */
export const nameOf = (tag, language) => new Intl.DisplayNames([language], { type: 'language' }).of(primary(tag)) ?? tag;

/** The names of the docs' languages, in the reader's. @param {Library} library @param {string} language */
export function languagesToAskIn({ manifest, locale }, language) {
  const locales = [locale, manifest.default_locale, ...manifest.scopes.map((scope) => scope.locale)];
  return [...new Set(locales.map((tag) => nameOf(tag, language)))].slice(0, rules.question.docs_languages).join(' / ');
}

/** The language that the letters of a text have alone. @param {string} text @returns {string | undefined} */
const scriptOf = (text) => rules.language.scripts.find((/** @type {[string, RegExp]} */ [, script]) => script.test(text))?.[0];

/** The language of a question by its letters, if they are not the page's; else null. @param {string} question @param {string} here */
function foreignScript(question, here) {
  const { word, latin, signs_a_word: signs } = rules.language;
  const words = question.match(every(word)) ?? [];
  const others = words.filter((one) => !latin.test(one)).join('');
  const [language, own] = [scriptOf(others), primary(here)];
  if (!language || language === own || others.length <= 1 || (language === 'zh' && own === 'ja')) return null;
  if (['ar', 'fa'].includes(language) && ['ar', 'fa'].includes(own)) return null;
  return words.filter((one) => latin.test(one)).length > others.length / signs ? null : language;
}

/**
 * The language of a question that is surely in another than the page's, by its letters or most of its words; null if none is sure.
 * @param {string} question @param {string} here @param {Requests} requests
 */
export function foreignLanguage(question, here, requests) {
  const { language, count, more, words } = likeliest(question, here, requests);
  const isNear = rules.language.siblings.includes(language) && rules.language.siblings.includes(here);
  const isSure = language !== here && more > rules.language.sure && 2 * count >= words && !isNear;
  return foreignScript(question, here) ?? (isSure ? language : null);
}

/** The language whose table a question is read by. @param {string} question @param {string} here @param {Requests} requests */
export function askedIn(question, here, requests) {
  const script = foreignScript(question, here);
  if (script) return script === 'zh' ? chineseOf(question, requests) : script;
  const { language, more, words } = likeliest(question, here, requests);
  return language !== here && more > 0 && (more >= rules.language.sure || 2 * more >= words) ? language : here;
}

/** The language of most of a question's stop words. @param {string} question @param {string} here @param {Requests} requests */
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
 * @param {string} question @param {string} here @param {Requests} requests
 */
export function messageLanguage(question, here, requests) {
  const { messages, vietnamese } = rules.language;
  const page = messages.includes(here) ? here : 'en';
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
