/** Texts that are shown before the chat's texts are loaded, and the choice of a language. */

/** Shown if neither the chat nor its texts in the reader's language can be loaded. */
export const FAILED = 'The chat could not be loaded. Reload the page.';

/** @type {Record<string, string>} */
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

/** The button beside a selection. @type {Record<string, string>} */
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

/** Tags of traditional Chinese, by script or region. */
const TRADITIONAL = /^zh-(?!hans).*(hant|tw|hk|mo)/iu;

/** Return the widget's language for a BCP 47 tag; English if there is no closer one. @param {string} tag */
export function languageFor(tag) {
  const language = TRADITIONAL.test(tag) ? 'zh-Hant' : tag.toLowerCase().split('-')[0];
  return Object.hasOwn(LAUNCH, language) ? language : 'en';
}

/**
 * Return the site's texts by the keys of `strings.json`: the property `strings`, or the attribute of that name as JSON.
 * @param {HTMLElement & {strings?: Record<string, string> | null}} host
 * @returns {Record<string, string>} Empty if the attribute is not valid JSON.
 */
export function customStrings(host) {
  try {
    return Object(host.strings ?? JSON.parse(host.getAttribute('strings') ?? '{}')); // JSON can be null.
  } catch {
    return {};
  }
}
