/**
 * Which language a question is asked in, as far as its letters and small words tell (`phrasing/languages.py`, `wording`).
 *
 * @typedef {import('./types.js').Requests} Requests
 */

/** Scripts that one language has, or mostly one. @type {[script: RegExp, language: string][]} */
const SCRIPTS = [
  [/[\u3040-\u30ff]/u, 'ja'], [/\p{Script=Hangul}/u, 'ko'], [/\p{Script=Han}/u, 'zh'], [/\p{Script=Thai}/u, 'th'],
  [/[پچژگکی]/u, 'fa'], [/\p{Script=Arabic}/u, 'ar'], [/[ЄІЇҐєіїґ]/u, 'uk'], [/\p{Script=Cyrillic}/u, 'ru'], [/\p{Script=Devanagari}/u, 'hi'],
];
const VIETNAMESE = /[đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu;
const WORD = /\p{L}+/gu;
const MESSAGES = ['en', 'vi', 'zh', 'zh-Hant', 'de', 'fr', 'es', 'pt', 'ja', 'ko', 'ru', 'fa'];
const TRADITIONAL = ['hant', 'tw', 'hk', 'mo'];
const SURE = 2; // Small words more than the page's language has in a question.
const MOST_WORDS = 60;
const SIBLINGS = ['es', 'pt']; // Which a few words do not tell apart.

/** A sign of Chinese or Japanese is half a word. */
const SIGNS_A_WORD = 2;

/** The table that a page's language is read by. @param {string} tag  BCP 47. */
export function tableOf(tag) {
  const [language, ...rest] = tag.toLowerCase().split(/[-_]/u);
  return language === 'zh' && !rest.includes('hans') && rest.some((part) => TRADITIONAL.includes(part)) ? 'zh-Hant' : language;
}

/**
 * The language of a question whose letters are not those of the page's; null where they do not tell one.
 * @param {string} question
 * @param {string} locale  BCP 47 tag of the page.
 */
function foreignScript(question, locale) {
  const words = question.match(WORD) ?? [];
  const latin = words.filter((word) => /^\p{Script=Latin}/u.test(word)).length;
  const others = words.filter((word) => !/^\p{Script=Latin}/u.test(word)).join('');
  const [, language] = SCRIPTS.find(([script]) => script.test(others)) ?? [];
  const here = tableOf(locale).slice(0, 2);
  if (!language || language === here || others.length <= 1 || (language === 'zh' && here === 'ja')) return null;
  if (['ar', 'fa'].includes(language) && ['ar', 'fa'].includes(here)) return null;
  return latin > others.length / SIGNS_A_WORD ? null : language;
}

/**
 * The language of a question that is surely in another than the page's: by its letters, or by most of its words; null where none is sure.
 * @param {string} question
 * @param {string} locale
 * @param {Requests} requests
 */
export function foreignLanguage(question, locale, requests) {
  const script = foreignScript(question, locale);
  if (script) return script;
  const here = tableOf(locale);
  const { language, count, more, words } = likeliest(question, here, requests);
  const isNear = SIBLINGS.includes(language) && SIBLINGS.includes(here);
  return language !== here && more > SURE && 2 * count >= words && !isNear ? language : null;
}

/**
 * The language whose table a question is read by.
 * @param {string} question
 * @param {string} locale
 * @param {Requests} requests
 */
export function askedIn(question, locale, requests) {
  const here = tableOf(locale);
  const script = foreignScript(question, locale);
  if (script) return script === 'zh' ? chineseOf(question, requests) : script;
  const { language, more, words } = likeliest(question, here, requests);
  return language !== here && more > 0 && (more >= SURE || 2 * more >= words) ? language : here;
}

/**
 * The language of most of a question's small words.
 * @param {string} question
 * @param {string} here  The page's.
 * @param {Requests} requests
 */
function likeliest(question, here, requests) {
  const words = (question.match(WORD) ?? []).slice(0, MOST_WORDS).map((word) => word.toLowerCase());
  const counts = Object.entries(requests.small_words).map(([language, small]) => {
    const held = new Set(small.split(' '));
    return { language, count: words.filter((word) => held.has(word)).length };
  });
  const best = counts.reduce((one, other) => (other.count > one.count ? other : one));
  const own = counts.find(({ language }) => language === here)?.count ?? 0;
  return { ...best, more: best.count - own, words: words.length };
}

/**
 * The language of refusals and notices: the one that a question's letters give away, else the page's.
 * @param {string} question
 * @param {string} locale
 * @param {Requests} requests
 */
export function spokenIn(question, locale, requests) {
  const table = tableOf(locale);
  const page = MESSAGES.includes(table) ? table : 'en';
  const [, language] = SCRIPTS.find(([script]) => script.test(question)) ?? [];
  if (language === 'zh') return ['ja', 'zh', 'zh-Hant'].includes(page) ? page : chineseOf(question, requests);
  if (language) return language === page || MESSAGES.includes(language) ? language : 'en';
  return VIETNAMESE.test(question) ? 'vi' : page;
}

/** @param {string} text @param {Requests} requests */
function chineseOf(text, { signs }) {
  const count = (/** @type {string} */ own) => [...text].filter((sign) => own.includes(sign)).length;
  return count(signs['zh-Hant']) > count(signs.zh) ? 'zh-Hant' : 'zh';
}
