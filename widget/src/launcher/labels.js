/**
 * The few words shown before the chat itself is loaded: launcher, selection button, failure to load.
 * @type {Record<string, [launch: string, askAboutThis: string, failed: string]>}
 */
const LABELS = {
  en: ['Ask the docs', 'Ask about this', 'The chat could not be loaded. Reload the page.'],
  vi: ['Hỏi tài liệu', 'Hỏi về đoạn này', 'Không tải được khung chat. Hãy tải lại trang.'],
  zh: ['询问文档', '就此提问', '聊天无法加载。请刷新页面。'],
  de: ['Doku fragen', 'Dazu fragen', 'Der Chat lädt nicht. Laden Sie die Seite neu.'],
  fr: ['Interroger la doc', 'Poser une question', 'Le chat ne se charge pas. Rechargez la page.'],
  es: ['Preguntar', 'Preguntar sobre esto', 'El chat no se carga. Recargue la página.'],
  ja: ['ドキュメントに質問', 'ここについて質問', 'チャットを読み込めません。ページを再読み込みしてください。'],
  fa: ['پرسش از مستندات', 'پرسش دربارهٔ این', 'گفتگو باز نشد. صفحه را دوباره باز کنید.'],
};

/**
 * @param {string} tag  A BCP 47 tag.
 * @returns {string} The language the widget speaks for it; English when it speaks no closer one.
 */
export function languageFor(tag) {
  const language = tag.toLowerCase().split('-')[0];
  return Object.hasOwn(LABELS, language) ? language : 'en';
}

/** @param {string} language */
export function labelsFor(language) {
  return LABELS[language];
}
