/** Said where neither the chat nor its words in another language can be had. */
export const FAILED = 'The chat could not be loaded. Reload the page.';

/**
 * The words on the launcher, which is there before the chat and its words are loaded.
 * @type {Record<string, string>}
 */
export const LAUNCH = {
  en: 'Ask the docs',
  vi: 'Hỏi tài liệu',
  zh: '询问文档',
  'zh-Hant': '詢問文件',
  de: 'Doku fragen',
  fr: 'Interroger la doc',
  es: 'Preguntar',
  pt: 'Perguntar',
  ja: 'ドキュメントに質問',
  ko: '문서에 질문',
  ru: 'Спросить',
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
  'zh-Hant': '針對這段提問',
  de: 'Dazu fragen',
  fr: 'Poser une question',
  es: 'Preguntar sobre esto',
  pt: 'Perguntar sobre isto',
  ja: 'ここについて質問',
  ko: '이 부분 질문하기',
  ru: 'Спросить об этом',
  fa: 'پرسش دربارهٔ این',
};

/** Tags of Chinese in traditional characters, by script or region. */
const TRADITIONAL = /^zh-(?!hans).*(hant|tw|hk|mo)/iu;

/**
 * @param {string} tag  A BCP 47 tag.
 * @returns {string} The language the widget speaks for it; English when it speaks no closer one.
 */
export function languageFor(tag) {
  const language = TRADITIONAL.test(tag) ? 'zh-Hant' : tag.toLowerCase().split('-')[0];
  return Object.hasOwn(LAUNCH, language) ? language : 'en';
}
