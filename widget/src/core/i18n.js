import english from '../strings/en/chat.js';

/**
 * @typedef {keyof typeof import('../strings/en.js').default} StringKey
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Words  A text, or one text for each plural category of `n`.
 * @typedef {Partial<Record<StringKey, Words>>} Strings
 * @typedef {((key: StringKey, values?: Record<string, string | number>) => string) & {learn: (words: Strings) => void}} Translate
 *   `learn` adds the English texts of a part that is loaded on demand.
 */

/** Each language is loaded on demand. @type {Record<string, () => Promise<{default: Strings}>>} */
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
 * @param {Record<string, string>} [custom]  The site's texts.
 * @returns {Promise<Translate>} English if the language's file cannot be loaded.
 */
export async function loadStrings(language, custom) {
  const loaded = await LANGUAGES[language]?.().catch(() => null);
  return createTranslate({ ...english, ...loaded?.default }, custom, loaded ? language : 'en');
}

/**
 * @param {Strings} strings
 * @param {Record<string, string>} [custom]  Replace those of the same key.
 * @param {string} [language]  Selects the plural form of `n` and the number format.
 * @returns {Translate} Returns '' for an unknown key, such as that of a source type of a newer server.
 */
export function createTranslate(strings, custom = {}, language = 'en') {
  const plural = new Intl.PluralRules(language);
  const translate = (/** @type {StringKey} */ key, /** @type {Record<string, string | number>} */ values = {}) => {
    const words = typeof custom[key] === 'string' ? custom[key] : strings[key] ?? '';
    const text = typeof words === 'string' ? words : words[plural.select(Number(values.n))] ?? words.other ?? '';
    return text.replace(/\{(\w+)\}/gu, (_, name) => (values[name] ?? '').toLocaleString(language));
  };
  return Object.assign(translate, { learn: (/** @type {Strings} */ words) => { strings = { ...words, ...strings }; } });
}
