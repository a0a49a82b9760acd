import english from '../strings/en.js';

/**
 * @typedef {keyof typeof english} StringKey
 * @typedef {(key: StringKey, values?: Record<string, string | number>) => string} Translate
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
 * @returns {Promise<Translate>} English when the language's file cannot be had.
 */
export async function loadStrings(language) {
  const loaded = await LANGUAGES[language]?.().catch(() => null);
  return createTranslate({ ...english, ...loaded?.default });
}

/**
 * @param {Record<StringKey, string>} strings
 * @returns {Translate} Gives '' for a key that does not exist, as of a source type this version does not know.
 */
export function createTranslate(strings) {
  return (key, values = {}) => (strings[key] ?? '').replace(/\{(\w+)\}/gu, (_, name) => String(values[name] ?? ''));
}
