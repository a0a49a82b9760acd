/** Said where neither the chat nor its words in another language can be had. */
export const FAILED = 'The chat could not be loaded. Reload the page.';

/**
 * The words on the launcher, which is there before the chat and its words are loaded.
 * @type {Record<string, string>}
 */
const LAUNCH = {
  en: 'Ask the docs',
  vi: 'Hỏi tài liệu',
  zh: '询问文档',
  de: 'Doku fragen',
  fr: 'Interroger la doc',
  es: 'Preguntar',
  ja: 'ドキュメントに質問',
  fa: 'پرسش از مستندات',
};

/**
 * Beside highlighted text.
 * @type {Record<string, string>}
 */
export const ASK_ABOUT_THIS = {
  en: 'Ask about this',
  vi: 'Hỏi về đoạn này',
  zh: '就此提问',
  de: 'Dazu fragen',
  fr: 'Poser une question',
  es: 'Preguntar sobre esto',
  ja: 'ここについて質問',
  fa: 'پرسش دربارهٔ این',
};

/**
 * @param {string} tag  A BCP 47 tag.
 * @returns {string} The language the widget speaks for it; English when it speaks no closer one.
 */
export function languageFor(tag) {
  const language = tag.toLowerCase().split('-')[0];
  return Object.hasOwn(LAUNCH, language) ? language : 'en';
}

/** @param {string} language */
export function launchLabel(language) {
  return LAUNCH[language];
}
