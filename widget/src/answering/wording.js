import { primary } from '../search/files.js';
import { phrasesOf } from './phrases.js';

/**
 * What is said besides quotations, in the reader's language (`pincite_core.wording`).
 *
 * @typedef {(key: string, values?: Record<string, string>) => string} Say
 */

const ALREADY_A_NAME = /(?:docs|documentation|handbook|guide|book|manual|wiki)$/iu;
const MOST_NAMED = 3; // Of the docs' languages.

/**
 * @param {import('./types.js').Library} library
 * @param {string} language
 * @returns {Promise<Say>}
 */
export async function wordingIn(library, language) {
  const { messages = {} } = await phrasesOf(library, language);
  return (key, values = {}) => messages[key].replace(/\{(\w+)\}/gu, (_, name) => values[name]);
}

/** What the docs are called: the site's title, as documentation. @param {string} title @param {Say} say */
export function corpusName(title, say) {
  if (!title || ALREADY_A_NAME.test(title)) return title || say('corpus_untitled');
  return say('corpus', { title });
}

/** What a language is called in another. @param {string} tag @param {string} language */
export const nameOf = (tag, language) => new Intl.DisplayNames([language], { type: 'language' }).of(primary(tag)) ?? tag;

/**
 * What the docs' languages are called in the reader's: that of the pages asked, and others.
 * @param {import('./types.js').Library} library
 * @param {string} language
 */
export function languagesToAskIn({ manifest, locale }, language) {
  const locales = [locale, manifest.default_locale, ...manifest.scopes.map((scope) => scope.locale)];
  return [...new Set(locales.map((tag) => nameOf(tag, language)))].slice(0, MOST_NAMED).join(' / ');
}
