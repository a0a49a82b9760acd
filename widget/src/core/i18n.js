import english from '../strings/en.js';

/**
 * @typedef {keyof typeof english} StringKey
 * @typedef {((key: StringKey, values?: Record<string, string | number>) => string) & {shipped: (key: StringKey) => string}} Translate
 *   `shipped`: the words as they are without the site's own.
 */

/**
 * Each language is a file of its own, loaded when it is spoken.
 * @type {Record<string, () => Promise<{default: Record<string, string>}>>}
 */
const LANGUAGES = {
  vi: () => import('../strings/vi.js'),
  zh: () => import('../strings/zh.js'),
  de: () => import('../strings/de.js'),
  fr: () => import('../strings/fr.js'),
  es: () => import('../strings/es.js'),
  ja: () => import('../strings/ja.js'),
  fa: () => import('../strings/fa.js'),
};

/**
 * @param {string} language
 * @param {Record<string, string>} [own]  The site's own words.
 * @returns {Promise<Translate>} English when the language's file cannot be had.
 */
export async function loadStrings(language, own) {
  const loaded = await LANGUAGES[language]?.().catch(() => null);
  return createTranslate({ ...english, ...loaded?.default }, own);
}

/**
 * @param {Record<StringKey, string>} strings
 * @param {Record<string, string>} [own]  Go before them.
 * @returns {Translate} Gives '' for a key that does not exist, as of a source type this version does not know.
 */
export function createTranslate(strings, own = {}) {
  const translate = (/** @type {StringKey} */ key, /** @type {Record<string, string | number>} */ values = {}) => (
    (typeof own[key] === 'string' ? own[key] : strings[key] ?? '').replace(/\{(\w+)\}/gu, (_, name) => String(values[name] ?? '')));
  return Object.assign(translate, { shipped: (/** @type {StringKey} */ key) => strings[key] });
}
