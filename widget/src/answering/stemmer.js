import englishStem from 'wink-porter2-stemmer';

/**
 * Stems as the indexer cuts them (`pincite_core.search.languages`), for words that the docs do not have in that form.
 *
 * @typedef {(form: string) => string} Stem
 */

/** Snowball's stemmers, a file each. The indexer has some more, or newer ones; those languages go by the endings that the docs show. */
const STEMMERS = /** @type {Record<string, () => Promise<{stemmer: Stem}>>} */ ({
  ar: () => import('./stems/ar.js'),
  da: () => import('./stems/da.js'),
  de: () => import('./stems/de.js'),
  el: () => import('./stems/el.js'),
  es: () => import('./stems/es.js'),
  fi: () => import('./stems/fi.js'),
  fr: () => import('./stems/fr.js'),
  hi: () => import('./stems/hi.js'),
  hu: () => import('./stems/hu.js'),
  id: () => import('./stems/id.js'),
  it: () => import('./stems/it.js'),
  no: () => import('./stems/no.js'),
  pt: () => import('./stems/pt.js'),
  ru: () => import('./stems/ru.js'),
  sv: () => import('./stems/sv.js'),
  tr: () => import('./stems/tr.js'),
});

/** Their stemmers know nothing of Latin letters; those words, mostly names of code, are English. */
const OTHER_SCRIPTS = /^(?:ar|el|fa|hi|hy|ne|ru|ta|yi)$/u;
const PAIRED = /^(?:ko|zh|ja|th|lo|km|my)$/u;

/** A shorter English word has no ending to lose. */
const ENGLISH = /^[a-z]{4,}$/u;
const ASCII = /^[\x00-\x7f]*$/u; // eslint-disable-line no-control-regex
const LATIN = /[a-z\u00c0-\u024f\u1e00-\u1eff]/u;
const NUMBER = /\p{Nd}/u;

/** What Snowball leaves: a Turkish verbal noun; an Arabic conjunction before an article; a plural without one. */
const VERBAL_NOUN = /(?<=...)m[ae][ks]?$/u;
const BEFORE_ARTICLE = /^[وف](?=(?:[بك]?ال|لل)...)/u;
const WITH_ARTICLE = /^[وف]?(?:[بك]?ال|لل).../u;
const PLURAL = /^...+ات$/u;
const VOWEL_SIGNS = /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu; // eslint-disable-line no-misleading-character-class

/**
 * The stem of a word in lower case; nothing for a language whose stems are not known here.
 * @param {string} language  Primary.
 * @returns {Promise<((form: string) => string) | null>}
 */
export async function stemmerOf(language) {
  const english = (/** @type {string} */ form) => (ENGLISH.test(form) ? englishStem(form) : form);
  if (language === 'en' || PAIRED.test(language)) return english;
  const { stemmer } = await STEMMERS[language]?.() ?? {};
  if (!stemmer) return OTHER_SCRIPTS.test(language) ? (form) => (ASCII.test(form) ? english(form) : form) : null;
  return (form) => {
    if (OTHER_SCRIPTS.test(language) && LATIN.test(form)) return ASCII.test(form) ? english(form) : form;
    return NUMBER.test(form) ? form : cut(lowered(form, language), language, stemmer);
  };
}

/**
 * @param {string} word
 * @param {string} language
 * @param {Stem} stemmer
 */
function cut(word, language, stemmer) {
  if (language === 'tr') return stemmer(word).replace(VERBAL_NOUN, '');
  if (language !== 'ar') return stemmer(word);
  const bare = word.replace(BEFORE_ARTICLE, '');
  return stemmer(PLURAL.test(bare) && !WITH_ARTICLE.test(bare) ? `ال${bare}` : bare);
}

/** Without vowel signs, and letters that readers' keyboards lack. @param {string} form @param {string} language */
function lowered(form, language) {
  const bare = form.replaceAll('ß', 'ss').replaceAll('ς', 'σ').replace(VOWEL_SIGNS, '');
  if (language === 'ru') return bare.replaceAll('ё', 'е');
  return language === 'ar' ? bare.replace(/\u0623|\u0625|\u0622/gu, 'ا').replaceAll('ى', 'ي') : bare;
}
