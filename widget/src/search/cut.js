/** A reader's words, cut as the index's are (`indexer/pincite_core/search/terms.py`), but for stems: the vocabulary knows those. */

const HAN = '\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{323af}';
const PAIRED = HAN
  + '\\u3040-\\u30ff\\uac00-\\ud7af\\uff66-\\uff9f' // Kana and Hangul.
  + '\\u0e00-\\u0e4e\\u0e80-\\u0ece\\u1000-\\u103f\\u1780-\\u17d3'; // Thai, Lao, Burmese, Khmer without their digits.
const LETTER = `(?:(?![${PAIRED}])[\\p{L}\\p{N}])`;

/** Runs of scripts that put no blanks between words, and words. */
export const RUN_OR_WORD = new RegExp(`[${PAIRED}]+|${LETTER}+(?:\\p{M}+${LETTER}*)*`, 'gu');
export const RUN = new RegExp(`^[${PAIRED}]`, 'u');
export const SIGN = /.\p{M}*/gsu;
const WIDE = /[\uff01-\uff9f]+/gu;
const RAISED = /(?<=[0-9])(?=[\u2070-\u207b\u00b9\u00b2\u00b3])/gu; // 10⁶ has two terms, as 10^6.
const SMALL = /[\u2070-\u209c\u00b9\u00b2\u00b3]+/gu; // Superscripts and subscripts: CO₂ is CO2.
const CASE_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/gu;

/** Japanese particles and endings say nothing of a subject; nor does a pair in which a particle meets a word. */
export const PARTICLES = /^(?:[\u3040-\u309f]+|[をのがはにでとへも].|.[をのがはにでとへも])$/u;

/** A stem of one character: 使 in 使う and in 使った. */
const LONE_KANJI = new RegExp(`(?<![${HAN}ァ-ヺー-ヿ])[${HAN}](?![${HAN}ァ-ヺー-ヿ])`, 'gu');

/** Languages that put no blanks between words; Korean does, though it is cut into pairs. */
export const SPACELESS = /^(?:zh|ja|th|lo|km|my)$/u;

/**
 * @typedef {object} Word
 * @property {string} form  In lower case, as it is spelled.
 * @property {boolean} open  The reader may still be typing it.
 */

/** @param {string} text */
export const plain = (text) => text.replace(RAISED, '^').replaceAll('\u00ad', '').normalize('NFC')
  .replace(WIDE, (wide) => wide.normalize('NFKC')).replace(SMALL, (small) => small.normalize('NFKC'));

/** The overlapping pairs of a run, or a word and, where it has several, its parts. @param {string} found  As `RUN_OR_WORD` finds it. */
export function formsOf(found) {
  if (RUN.test(found)) {
    const signs = found.match(SIGN) ?? [];
    return signs.length < 2 ? signs : signs.slice(1).map((sign, at) => signs[at] + sign);
  }
  const parts = /^[\x00-\x7f]*$/u.test(found) ? found.match(CASE_PART) ?? [] : []; // eslint-disable-line no-control-regex
  return [found, ...parts.length > 1 ? parts : []].map((word) => word.toLowerCase());
}

/**
 * The runs and words of a plain text, where each stands, and the forms that it is looked up by.
 * @param {string} text
 * @param {string} language
 */
export function pieces(text, language) {
  return [...text.matchAll(RUN_OR_WORD)].map(({ 0: found, index }) => {
    const isRun = RUN.test(found);
    const alone = isRun && language === 'ja' && found.length > 1 ? found.match(LONE_KANJI) ?? [] : [];
    return { found, index, isRun, forms: formsOf(found), alone };
  });
}

/**
 * The telling words of what a reader typed; all of them when nothing else is left.
 * @param {string} text
 * @param {string} language  The primary language of the docs.
 * @param {string[]} small  The language's words that say nothing; where no blanks part words, its phrases of asking.
 * @returns {Word[]} Each once, in order.
 */
export function cut(text, language, small) {
  const whole = plain(text);
  const all = wordsOf(whole, language);
  const hasBlanks = !SPACELESS.test(language);
  const isSmall = new Set(hasBlanks ? small.flatMap(formsOf) : []);
  const asked = hasBlanks || small.length === 0 ? all : wordsOf(whole.replace(new RegExp(small.join('|'), 'gu'), ' '), language);
  const telling = asked.filter(({ form }) => !isSmall.has(form) && !(language === 'ja' && PARTICLES.test(form)));
  return telling.length > 0 ? telling : all;
}

/** @param {string} text @param {string} language */
function wordsOf(text, language) {
  /** @type {Map<string, Word>} */
  const words = new Map();
  for (const { found, index, isRun, forms, alone } of pieces(text, language)) {
    const open = index + found.length === text.length;
    forms.forEach((form, at) => words.set(form, { form, open: open && at === (isRun ? forms.length - 1 : 0) }));
    for (const form of alone) words.set(form, { form, open: false });
  }
  return [...words.values()];
}
