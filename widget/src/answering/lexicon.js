import { SPACELESS } from '../search/cut.js';

/**
 * The terms of words: as the docs spell them, or by a stemmer; in a language without one, as words of the docs change their endings.
 *
 * @typedef {import('./types.js').AnswerShard} AnswerShard
 */

/** What share of a site's changes of endings one is, at least, that is thought of for other words; rarer ones mislead. */
const SHARE = 0.02;
const FEWEST_CHANGES = 3;

/** The share of an ending before which a letter is doubled (*beginning*): others end many a word that is no form of one (*summer*). */
const DOUBLING = 0.05;

/** How much of a word stays as it is, at least. */
const STAYS = 0.6;
const FEWEST_LETTERS = 3;

/**
 * @param {AnswerShard[]} shards
 * @param {string} language  Primary.
 * @param {import('../search/files.js').Manifest} manifest
 * @param {import('./types.js').AnswersFacts} facts
 * @param {((form: string) => string) | null} stem
 * @returns {import('./types.js').Lexicon}
 */
export function lexiconOf(shards, language, manifest, { tables }, stem) {
  /** @type {Map<string, string>} */
  const known = new Map();
  const words = (manifest.small_words[language] ?? '').split(' ').filter(Boolean);
  const spaceless = SPACELESS.test(language);
  const small = new Set([...spaceless ? [] : words, ...(tables.small_terms[language] ?? '').split(' ')].filter(Boolean));
  /** @type {ReturnType<typeof changesOf> | undefined} */
  let learned;
  const changes = () => (learned ??= changesOf(shards));
  return {
    isSmall: (term) => small.has(term),
    asking: spaceless && words.length ? new RegExp(words.map(escaped).join('|'), 'gu') : null,
    termOf(form) {
      const before = known.get(form);
      if (before !== undefined) return before;
      const spelled = spelledTerm(shards, form);
      const cut = stem?.(form) ?? form;
      // What is a term may be another word's: Russian `орган` is what `органа` is cut to, and is itself cut to `орга`.
      const isOthers = spelled === form && cut !== form && language !== 'en' && spelledTerm(shards, cut) === cut;
      const term = isOthers || (stem && spelled === undefined) ? cut : spelled ?? changes().likeOthers(form) ?? form;
      known.set(form, term);
      return term;
    },
    withoutEnding: (form) => (stem ? form : changes().withoutEnding(form)),
  };
}

/**
 * The term of a word as it is spelled; of several, of which it may be one without its accents, the most alike.
 * @param {AnswerShard[]} shards
 * @param {string} form
 */
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
function changesOf(shards) {
  /** @type {Map<string, Map<number, number>>} By what is added, how often so many letters fall away for it. */
  const added = new Map();
  let total = 0;
  for (const { vocabulary, terms } of shards) {
    terms.forEach((term, number) => {
      for (const spelled of vocabulary.spellings(number).slice(1)) {
        const form = alike(spelled, term);
        const shared = sharedLength(term, form);
        const cuts = added.get(form.slice(shared)) ?? new Map();
        added.set(form.slice(shared), cuts.set(term.length - shared, (cuts.get(term.length - shared) ?? 0) + 1));
        total += 1;
      }
    });
  }
  const fewest = Math.max(FEWEST_CHANGES, SHARE * total);
  const splits = (/** @type {string} */ form) => {
    const least = Math.max(FEWEST_LETTERS, Math.ceil(form.length * STAYS));
    return Array.from({ length: Math.max(0, form.length - least) }, (_, at) => form.length - 1 - at);
  };
  return {
    /** The term of which a word would be a form that the docs do not have. @param {string} form */
    likeOthers(form) {
      return this.found(form) ?? this.found(bare(form));
    },
    /** @param {string} form */
    found(form) {
      for (const end of splits(form)) {
        const cuts = [...added.get(form.slice(end)) ?? []].filter(([, times]) => times >= fewest);
        for (const [cut, times] of cuts.sort(([a], [b]) => a - b)) {
          const doubles = cut === 0 && times >= DOUBLING * total;
          const found = longer(shards, form.slice(0, end), cut) ?? (doubles ? undoubled(shards, form.slice(0, end)) : undefined);
          if (found) return found;
        }
      }
      return undefined;
    },
    /** A word that the docs have in no form without the ending that is most common. @param {string} form */
    withoutEnding(form) {
      const times = (/** @type {number} */ end) => added.get(form.slice(end))?.get(0) ?? 0;
      const end = splits(form).reduce((best, at) => (times(at) > times(best) ? at : best), form.length);
      return times(end) >= fewest ? form.slice(0, end) : form;
    },
  };
}

/** A term whose last letter is doubled before an ending: *begin*, *beginning*. @param {AnswerShard[]} shards @param {string} base */
function undoubled(shards, base) {
  return base.at(-1) === base.at(-2) ? longer(shards, base.slice(0, -1), 0) : undefined;
}

/**
 * A term that begins with some letters and has so many more.
 * @param {AnswerShard[]} shards
 * @param {string} beginning
 * @param {number} more
 */
function longer(shards, beginning, more) {
  for (const { vocabulary, terms } of shards) {
    const entries = more ? vocabulary.beginning(beginning) : vocabulary.exactly(beginning);
    for (const [, number] of entries) {
      if (terms[number].length === beginning.length + more && terms[number].startsWith(beginning)) return terms[number];
    }
  }
  return undefined;
}

/** A spelling as its term has it: stemmers of some languages leave out marks. @param {string} spelled @param {string} term */
function alike(spelled, term) {
  const without = bare(spelled);
  return sharedLength(without, term) > sharedLength(spelled, term) ? without : spelled;
}

/** A word without its marks. @param {string} form */
const bare = (form) => form.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').normalize('NFC');

/** @param {string} one @param {string} other */
function sharedLength(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
