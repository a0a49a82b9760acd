import { SPACELESS } from '../search/cut.js';

/**
 * The terms of words without a stemmer: as the docs spell them, or as words of the docs change their endings.
 *
 * @typedef {import('./types.js').AnswerShard} AnswerShard
 */

/** How often an ending changes on a site before it is thought of for other words, and the least letters before one. */
const FEWEST_CHANGES = 3;
const FEWEST_LETTERS = 3;

/**
 * @param {AnswerShard[]} shards
 * @param {string} language  Primary.
 * @param {import('../search/files.js').Manifest} manifest
 * @param {import('./types.js').AnswersFacts} facts
 * @returns {import('./types.js').Lexicon}
 */
export function lexiconOf(shards, language, manifest, { tables }) {
  /** @type {Map<string, string>} */
  const known = new Map();
  const words = (manifest.small_words[language] ?? '').split(' ').filter(Boolean);
  const spaceless = SPACELESS.test(language);
  const small = new Set([...spaceless ? [] : words, ...(tables.small_terms[language] ?? '').split(' ')].filter(Boolean));
  /** @type {ReturnType<typeof changesOf> | undefined} */
  let changes;
  return {
    isSmall: (term) => small.has(term),
    asking: spaceless && words.length ? new RegExp(words.map(escaped).join('|'), 'gu') : null,
    termOf(form) {
      const before = known.get(form);
      if (before !== undefined) return before;
      const spelled = spelledTerm(shards, form);
      const term = spelled ?? (changes ??= changesOf(shards)).likeOthers(form) ?? form;
      known.set(form, term);
      return term;
    },
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
  for (const { vocabulary, terms } of shards) {
    terms.forEach((term, number) => {
      for (const form of vocabulary.spellings(number).slice(1)) {
        const shared = sharedLength(term, form);
        const cuts = added.get(form.slice(shared)) ?? new Map();
        added.set(form.slice(shared), cuts.set(term.length - shared, (cuts.get(term.length - shared) ?? 0) + 1));
      }
    });
  }
  return {
    /** The term of which a word would be a form that the docs do not have. @param {string} form */
    likeOthers(form) {
      for (let end = form.length - 1; end >= Math.max(FEWEST_LETTERS, form.length / 2); end -= 1) {
        const cuts = [...added.get(form.slice(end)) ?? []].filter(([, times]) => times >= FEWEST_CHANGES);
        for (const [cut] of cuts.sort(([a], [b]) => a - b)) {
          const found = longer(shards, form.slice(0, end), cut);
          if (found) return found;
        }
      }
      return undefined;
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
    const entries = more ? vocabulary.beginning(beginning) : vocabulary.exactly(beginning);
    for (const [, number] of entries) {
      if (terms[number].length === beginning.length + more && terms[number].startsWith(beginning)) return terms[number];
    }
  }
  return undefined;
}

/** @param {string} one @param {string} other */
function sharedLength(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
