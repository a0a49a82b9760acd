import { primary } from '../search/files.js';
import { regexp, rules } from './rules.js';
/** @import {Forms, Library, Phrases, Requests, Say} from './types.js' */

/** Forms of questions and messages, by the tables of the sidecar (`browser_bundle/phrases.py`). */

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

/**
 * The boundary that a question crosses: a request to write code, to do something, or for what is happening now (`guards/boundaries.py`).
 * @param {string} query
 * @param {Requests} requests
 * @returns {'code' | 'act' | 'realtime' | null}
 */
export function crossedBoundary(query, requests) {
  const said = query.trim();
  if (regexp(requests.code).test(said)) return 'code';
  const parts = query.split(rules.boundaries.sentence_end).map((part) => part.trim()).filter(Boolean);
  const plain = (/** @type {string} */ text) => text.normalize('NFKC').replace(/\p{Cf}/gu, '').toLowerCase().replace(/[ \t]+/gu, ' ');
  const dismisses = parts.length > 0 && parts.every((part) => regexp(requests.dismisses, 'u').test(plain(part)));
  if (dismisses || regexp(requests.act).test(said)) return 'act';
  return regexp(requests.realtime).test(said) ? 'realtime' : null;
}

/**
 * Whether a question is about assistants, so that text that addresses them may answer it.
 * @param {string} query
 * @param {Requests} requests
 */
export function asksAboutAssistants(query, requests) {
  const text = query.normalize('NFKC');
  return regexp(requests.asks_about_assistants).test(text) || regexp(requests.names_of_assistants, 'u').test(text);
}

/** @param {Library} library @param {string} language @returns {Promise<Say>} */
export async function wordingIn(library, language) {
  const { messages = {} } = await phrasesOf(library, language);
  return (key, values = {}) => messages[key].replace(/\{(\w+)\}/gu, (_, name) => values[name]);
}

/** The name of the docs: the site's title, with a word for documentation if needed. @param {string} title @param {Say} say */
export function corpusName(title, say) {
  return title && !rules.question.already_a_name.test(title) ? say('corpus', { title }) : title || say('corpus_untitled');
}

/** The name of a language in another. @param {string} tag @param {string} language */
export const nameOf = (tag, language) => new Intl.DisplayNames([language], { type: 'language' }).of(primary(tag)) ?? tag;

/** The names of the docs' languages, in the reader's. @param {Library} library @param {string} language */
export function languagesToAskIn({ manifest, locale }, language) {
  const locales = [locale, manifest.default_locale, ...manifest.scopes.map((scope) => scope.locale)];
  return [...new Set(locales.map((tag) => nameOf(tag, language)))].slice(0, rules.question.docs_languages).join(' / ');
}
