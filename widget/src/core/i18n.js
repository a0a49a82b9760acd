import english from '../strings/en/chat.js';

/**
 * @typedef {keyof typeof import('../strings/en.js').default} StringKey
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Words  A text, or its forms by the plural category of `n`.
 * @typedef {Partial<Record<StringKey, Words>>} Strings
 * @typedef {((key: StringKey, values?: Record<string, string | number>) => string) & {learn: (words: Strings) => void}} Translate
 *   `learn`: take in the English words of a part that was loaded.
 */

/**
 * Each language is a file of its own, loaded when it is spoken.
 * @type {Record<string, () => Promise<{default: Strings}>>}
 */
const LANGUAGES = {
  vi: () => import('../strings/vi.js'),
  zh: () => import('../strings/zh.js'),
  'zh-Hant': () => import('../strings/zh-Hant.js'),
  de: () => import('../strings/de.js'),
  fr: () => import('../strings/fr.js'),
  es: () => import('../strings/es.js'),
  pt: () => import('../strings/pt.js'),
  ja: () => import('../strings/ja.js'),
  ko: () => import('../strings/ko.js'),
  ru: () => import('../strings/ru.js'),
  fa: () => import('../strings/fa.js'),
};

/**
 * @param {string} language
 * @param {Record<string, string>} [own]  The site's own words.
 * @returns {Promise<Translate>} English when the language's file cannot be had.
 */
export async function loadStrings(language, own) {
  const loaded = await LANGUAGES[language]?.().catch(() => null);
  return createTranslate({ ...english, ...loaded?.default }, own, loaded ? language : 'en');
}

/**
 * @param {Strings} strings
 * @param {Record<string, string>} [own]  Go before them.
 * @param {string} [language]  Theirs: of its plural forms that of `n` is chosen, and numbers are written as it writes them.
 * @returns {Translate} Gives '' for a key that does not exist, as of a source type this version does not know.
 */
export function createTranslate(strings, own = {}, language = 'en') {
  const plural = new Intl.PluralRules(language);
  const translate = (/** @type {StringKey} */ key, /** @type {Record<string, string | number>} */ values = {}) => {
    const words = typeof own[key] === 'string' ? own[key] : strings[key] ?? '';
    const text = typeof words === 'string' ? words : words[plural.select(Number(values.n))] ?? words.other ?? '';
    return text.replace(/\{(\w+)\}/gu, (_, name) => (values[name] ?? '').toLocaleString(language));
  };
  return Object.assign(translate, { learn: (/** @type {Strings} */ words) => { strings = { ...words, ...strings }; } });
}
