import { SPACELESS } from '../search/cut.js';
import { range, remembered, rules } from './rules.js';
/** @import {AnswerShard, AnswersFacts, Lexicon} from './types.js' */

/**
 * The terms of words: as the docs spell them, or by a stemmer; in a language without one, by the endings that words of the docs have.
 * @param {AnswerShard[]} shards
 * @param {string} language  Primary.
 * @param {import('../search/files.js').Manifest} manifest
 * @param {AnswersFacts} facts
 * @param {((form: string) => string) | null} stem
 * @returns {Lexicon}
 */
export function lexiconOf(shards, language, manifest, facts, stem) {
  const words = (manifest.small_words[language] ?? '').split(' ').filter(Boolean);
  const spaceless = SPACELESS.test(language);
  const small = new Set([...spaceless ? [] : words, ...(facts.small_terms[language] ?? '').split(' ')].filter(Boolean));
  /** @type {ReturnType<typeof endingsOf> | undefined} */
  let learned;
  const endings = () => (learned ??= endingsOf(shards));
  return {
    isSmall: (term) => small.has(term),
    asking: spaceless && words.length ? new RegExp(words.map(escaped).join('|'), 'gu') : null,
    termOf: remembered((/** @type {string} */ form) => {
      const spelled = spelledTerm(shards, form);
      const cut = stem?.(form) ?? form;
      // A term may be a form of another word: Russian `орган` is the stem of `органа`, and its own stem is `орга`.
      const isOthers = spelled === form && cut !== form && language !== 'en' && spelledTerm(shards, cut) === cut;
      return isOthers || (stem && spelled === undefined) ? cut : spelled ?? endings().termLike(form) ?? form;
    }),
    withoutEnding: (form) => (stem ? form : endings().withoutEnding(form)),
  };
}

/** The term of a spelling; of several, whose accents it may lack, the most alike. @param {AnswerShard[]} shards @param {string} form */
function spelledTerm(shards, form) {
  let best;
  let most = -1;
  for (const { vocabulary, terms } of shards) {
    for (const [, number] of vocabulary.exactly(form)) {
      const alike = sharedLength(terms[number], form);
      if (alike > most) [best, most] = [terms[number], alike];
    }
  }
  return best;
}

/**
 * How words of the docs change their endings: `0:ing` is `mocking` for `mock`, `1:y` is `happy` for `happi`.
 * @param {AnswerShard[]} shards
 */
function endingsOf(shards) {
  /** By the letters added, how often so many letters fall away for them. @type {Map<string, Map<number, number>>} */
  const added = new Map();
  let total = 0;
  for (const { vocabulary, terms } of shards) {
    terms.forEach((term, number) => {
      for (const spelled of vocabulary.spellings(number).slice(1)) {
        const form = [spelled, bare(spelled)].reduce((one, other) => (sharedLength(other, term) > sharedLength(one, term) ? other : one));
        const shared = sharedLength(term, form);
        const cuts = added.get(form.slice(shared)) ?? new Map();
        added.set(form.slice(shared), cuts.set(term.length - shared, (cuts.get(term.length - shared) ?? 0) + 1));
        total += 1;
      }
    });
  }
  const { lexicon } = rules;
  const fewest = Math.max(lexicon.fewest_changes, lexicon.share * total);
  const splits = (/** @type {string} */ form) => (
    range(Math.max(lexicon.fewest_letters, Math.ceil(form.length * lexicon.stays)), form.length).reverse());
  /** @param {string} form */
  function found(form) {
    for (const end of splits(form)) {
      const [base, cuts] = [form.slice(0, end), [...added.get(form.slice(end)) ?? []].filter(([, times]) => times >= fewest)];
      for (const [cut, times] of cuts.sort(([a], [b]) => a - b)) {
        const isDoubled = cut === 0 && times >= lexicon.doubling * total && base.at(-1) === base.at(-2); // *begin*, *beginning*
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
      const times = (/** @type {number} */ end) => added.get(form.slice(end))?.get(0) ?? 0;
      const end = splits(form).reduce((best, at) => (times(at) > times(best) ? at : best), form.length);
      return times(end) >= fewest ? form.slice(0, end) : form;
    },
  };
}

/**
 * A term that begins with some letters and has so many more.
 * @param {AnswerShard[]} shards
 * @param {string} beginning
 * @param {number} more
 */
function longer(shards, beginning, more) {
  for (const { vocabulary, terms } of shards) {
    for (const [, number] of more ? vocabulary.beginning(beginning) : vocabulary.exactly(beginning)) {
      if (terms[number].length === beginning.length + more && terms[number].startsWith(beginning)) return terms[number];
    }
  }
  return undefined;
}

/** A word without its marks, which stemmers of some languages leave out. @param {string} form */
const bare = (form) => form.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').normalize('NFC');

/** @param {string} one @param {string} other */
function sharedLength(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
