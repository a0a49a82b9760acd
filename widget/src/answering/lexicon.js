import englishStem from 'wink-porter2-stemmer';
import { primary, remembered } from '../search/files.js';
import { range } from '../search/numbers.js';
import { regexp, rules } from './rules.js';
/** @import {AnswersFacts, Endings, Vocabulary} from './types.js' */

/** The terms of words: as the docs spell them, or by a stemmer (`pincite_core.search.languages`), or by the endings of the docs' words. */

/** @typedef {{vocabulary: Vocabulary, terms: string[]}} Spellings */
/** @typedef {(form: string) => string} Stem */

/** Languages of Snowball's stemmers, a file each. The indexer has some more, or newer ones; those go by the endings in the docs. */
const STEMMERS = new Set(['ar', 'da', 'de', 'el', 'es', 'fi', 'fr', 'hi', 'hu', 'id', 'it', 'no', 'pt', 'ru', 'sv', 'tr']);

/** Their stemmers know nothing of Latin letters; those words, mostly names of code, are English. */
const OTHER_SCRIPTS = /^(?:ar|el|fa|hi|hy|ne|ru|ta|yi)$/u;
const PAIRED = /^(?:ko|zh|ja|th|lo|km|my)$/u;

/** A shorter English word has no ending to lose. */
const ENGLISH = /^[a-z]{4,}$/u;
const LATIN = /[a-z\u00c0-\u024f\u1e00-\u1eff]/u;
const NUMBER = /\p{Nd}/u;

/** What Snowball leaves: a Turkish verbal noun; an Arabic conjunction before an article; a plural without one. */
const VERBAL_NOUN = /(?<=...)m[ae][ks]?$/u;
const BEFORE_ARTICLE = /^[وف](?=(?:[بك]?ال|لل)...)/u;
const WITH_ARTICLE = /^[وف]?(?:[بك]?ال|لل).../u;
const PLURAL = /^...+ات$/u;
const VOWEL_SIGNS = /[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/gu; // eslint-disable-line no-misleading-character-class

/** Stems words in lower case; null for a language whose stems are not known here. @type {(primary: string) => Promise<Stem | null>} */
export async function stemmerOf(language) {
  const english = (/** @type {string} */ form) => (ENGLISH.test(form) ? englishStem(form) : form);
  if (language === 'en' || PAIRED.test(language)) return english;
  const file = `./stems/${language}.js`; // The build writes them beside its bundle as they are here.
  /** @type {{stemmer?: Stem}} */
  const { stemmer } = STEMMERS.has(language) ? await import(file) : {};
  if (!stemmer) return OTHER_SCRIPTS.test(language) ? english : null;
  return (form) => {
    if (OTHER_SCRIPTS.test(language) && LATIN.test(form)) return english(form);
    return NUMBER.test(form) ? form : cut(lowered(form, language), language, stemmer);
  };
}

/** @param {string} word @param {string} language @param {Stem} stemmer */
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

/**
 * The terms of words of a locale, and which of them say nothing.
 * @param {Spellings[]} shards @param {string} locale @param {AnswersFacts} facts @param {Stem | null} stem
 */
export function lexiconOf(shards, locale, { small_terms: smallTerms, asking, languages }, stem) {
  const language = primary(locale);
  const small = new Set((smallTerms[language] ?? '').split(' '));
  const endings = endingsOf(shards, languages[locale]?.endings ?? {});
  return {
    isSmall: (/** @type {string} */ term) => small.has(term),
    /** Phrases of asking, in a language without blanks between words. */
    asking: asking[language] ? regexp(asking[language], 'gu') : null,
    /** The term of a word or pair of signs in lower case. */
    termOf: remembered((/** @type {string} */ form) => {
      const spelled = spelledTerm(shards, form);
      const cut = stem?.(form) ?? form;
      // A term may be a form of another word: Russian `орган` is the stem of `органа`, and its own stem is `орга`.
      const isOthers = spelled === form && cut !== form && language !== 'en' && spelledTerm(shards, cut) === cut;
      return isOthers || (stem && spelled === undefined) ? cut : spelled ?? endings.termLike(form) ?? form;
    }),
    withoutEnding: (/** @type {string} */ form) => (stem ? form : endings.withoutEnding(form)),
  };
}

/** The term of a spelling; of several, whose accents it may lack, the most alike. @param {Spellings[]} shards @param {string} form */
function spelledTerm(shards, form) {
  const [first, ...others] = termsIn(shards, (vocabulary) => vocabulary.exactly(form));
  return others.reduce((best, term) => (sharedLength(term, form) > sharedLength(best, form) ? term : best), first);
}

/** @param {Spellings[]} shards @param {(vocabulary: Vocabulary) => Iterable<[form: string, term: number]>} entriesOf */
const termsIn = (shards, entriesOf) => (
  shards.flatMap(({ vocabulary, terms }) => [...entriesOf(vocabulary)].map(([, number]) => terms[number])));

/** Terms by how words of the docs change their endings. @param {Spellings[]} shards @param {Endings} endings */
function endingsOf(shards, endings) {
  const { lexicon } = rules;
  const splits = (/** @type {string} */ form) => (
    range(Math.max(lexicon.fewest_letters, Math.ceil(form.length * lexicon.stays)), form.length).reverse());
  /** @param {string} form */
  function found(form) {
    for (const end of splits(form)) {
      const base = form.slice(0, end);
      for (const [cut, share] of endings[form.slice(end)] ?? []) {
        const isDoubled = cut === 0 && share >= lexicon.doubling && base.at(-1) === base.at(-2); // *begin*, *beginning*
        const term = longer(shards, base, cut) ?? (isDoubled ? longer(shards, base.slice(0, -1), 0) : undefined);
        if (term) return term;
      }
    }
    return undefined;
  }
  return {
    /** The term of which a word would be a form that the docs do not have. @param {string} form */
    termLike: (form) => found(form) ?? found(bare(form)),
    /** A word that the docs have in no form without the ending that is most common. @param {string} form */
    withoutEnding(form) {
      const shareOf = (/** @type {number} */ end) => (endings[form.slice(end)] ?? []).find(([cut]) => cut === 0)?.[1] ?? 0;
      return form.slice(0, splits(form).reduce((best, at) => (shareOf(at) > shareOf(best) ? at : best), form.length));
    },
  };
}

/** A term that begins with some letters and has so many more. @param {Spellings[]} shards @param {string} beginning @param {number} more */
function longer(shards, beginning, more) {
  const found = termsIn(shards, (vocabulary) => (more ? vocabulary.beginning(beginning) : vocabulary.exactly(beginning)));
  return found.find((term) => term.length === beginning.length + more && term.startsWith(beginning));
}

/** A word without its marks, which stemmers of some languages leave out. @param {string} form */
const bare = (form) => form.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').normalize('NFC');

/** @param {string} one @param {string} other */
function sharedLength(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
