import { PARTICLES, pieces, plain, RUN, SIGN } from '../search/cut.js';
import { range } from '../search/numbers.js';
import { distance } from '../search/vocabulary.js';
import { countsOf } from './library.js';
import { every, rules } from './rules.js';
/** @import {Library, Query} from './types.js' */

/**
 * Terms of texts (`pincite_core.search.terms`, `term_matching`), a question as the rankers take it (`query`), and its words as the site
 * has them (`query_expansion`).
 */

/** @typedef {Pick<Library, 'lexicon' | 'language'>} Words */

/** The terms of a text, in order, with repeats: words with their parts, then pairs of signs. @param {Words} library @param {string} text */
export function termsOf({ lexicon, language }, text) {
  const found = pieces(plain(text), language);
  const inOrder = [...found.filter(({ isRun }) => !isRun), ...found.filter(({ isRun }) => isRun)];
  return inOrder.flatMap(({ forms, alone }) => [...forms, ...alone]).map(lexicon.termOf);
}

/** The terms of a question without stop words; all terms if there are only stop words. @param {Words} library @param {string} text */
export function contentTerms(library, text) {
  const { asking, isSmall } = library.lexicon;
  const told = asking ? termsOf(library, text.replace(asking, ' ')) : [];
  const found = told.length > 0 ? told : termsOf(library, text);
  const telling = found.filter((term) => !isSmall(term) && !(library.language === 'ja' && PARTICLES.test(term)));
  return telling.length > 0 ? telling : found;
}

/**
 * The asked terms that a text contains, also as the beginning or end of a compound (`search.compounds.held_terms`).
 * @param {Library} library @param {string} text @param {Iterable<string>} asked
 */
export function heldTerms(library, text, asked) {
  const { shortest_part: shortest, shortest_first: rest } = rules.spelling;
  const said = new Set(termsOf(library, text));
  const isCompounding = library.language in library.facts.links;
  const inside = (/** @type {string} */ term) => isCompounding && term.length >= shortest
    && [...said].some((word) => word.length >= term.length + rest && (word.startsWith(term) || word.endsWith(term)));
  return new Set([...asked].filter((term) => said.has(term) || inside(term)));
}

/**
 * Matched terms without the pairs of signs that match by chance, in scripts of letters without spaces (`search.cjk_bigrams`).
 * @param {Set<string>} held @param {string[]} asked  A question's terms, in order. @param {string} text @param {string} language
 */
export function heldAsWords(held, asked, text, language) {
  const { written_in_letters: scripts, word_signs: length } = rules.spelling;
  if (!scripts.includes(language)) return held;
  const words = new Set(pieces(plain(text), language).filter(({ isRun }) => isRun).flatMap(({ found }) => {
    const signs = found.match(SIGN) ?? [];
    return range(0, signs.length - length + 1).map((at) => signs.slice(at, at + length).join(''));
  }));
  const [pairs, whole] = [new Set(), new Set()];
  for (const run of runsOf(asked)) {
    pairsOf(run).forEach((pair) => pairs.add(pair));
    for (const at of range(0, Math.max(0, run.length - length) + 1)) {
      const word = run.slice(at, at + length);
      const isThere = word.length === length ? words.has(word.join('')) : pairsOf(word).every((pair) => held.has(pair));
      if (isThere) pairsOf(word).forEach((pair) => whole.add(pair));
    }
  }
  return new Set([...held].filter((term) => whole.has(term) || !pairs.has(term)));
}

/** The runs of signs that a question's pairs were cut from; a pair that begins where a run ends goes on with it. @param {string[]} asked */
function runsOf(asked) {
  /** @type {string[][]} */
  const runs = [];
  for (const term of asked) {
    const signs = RUN.test(term) ? term.match(SIGN) ?? [] : [];
    if (signs.length !== 2) continue;
    if (runs.at(-1)?.at(-1) === signs[0]) runs.at(-1)?.push(signs[1]);
    else runs.push([...signs]);
  }
  return runs;
}

/** @param {string[]} signs */
const pairsOf = (signs) => signs.slice(1).map((sign, at) => signs[at] + sign);

/** A text without some characters at its ends. @param {string} text @param {string} marks */
export function stripped(text, marks) {
  let [start, end] = [0, text.length];
  while (start < end && marks.includes(text[start])) start += 1;
  while (end > start && marks.includes(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/** The question without tracker prefixes, stack frames and the marks of code fences. @param {Library} library @param {string} text */
export function parseQuery(library, text) {
  const { query, codes } = rules;
  const told = text.replace(every(query.fence), '$1').replace(every(query.stack_line), '');
  const stripped = told.replace(query.tracker_prefix, '').trim() || told.trim();
  const terms = [...new Set(contentTerms(library, stripped))].slice(0, query.terms);
  const found = new Set([...stripped.matchAll(every(codes.pattern))].map(([code]) => code.toLowerCase()));
  return {
    text: stripped, terms, codes: [...found].slice(0, query.codes),
    names: [...new Set(namesOf(library, stripped))].filter((name) => terms.includes(name)),
  };
}

/** The codes that name one thing: error codes, issue numbers, versions. @param {Query} query */
export const codesWithDigits = ({ codes }) => codes.filter((code) => rules.query.digit.test(code));

/** The terms of words spelled as names: with a capital inside a sentence, or with digits. @param {Library} library @param {string} text */
function namesOf(library, text) {
  const { name, digit, sentence_ends: ends, telling_length: length, capitals_of_a_title: share } = rules.query;
  const words = [...text.matchAll(every(name))];
  const telling = words.slice(1).filter(([word]) => [...word].length >= length);
  const isTitle = library.facts.names_nouns.includes(library.language)
    || telling.filter(([word]) => isCapitalised(word)).length * share >= Math.max(telling.length, 1);
  return words.filter(({ 0: word, index }) => {
    const before = text.slice(0, index).trimEnd();
    if (isCapitalised(word) && (isTitle || !before || ends.includes(before.at(-1)))) return false;
    return (word !== word.toLowerCase() && [...word].length > 1) || digit.test(word);
  }).flatMap(([word]) => termsOf(library, word).slice(0, 1)); // The first term is the whole word.
}

/** @param {string} word */
function isCapitalised(word) {
  const [first, ...rest] = word;
  const after = rest.join('');
  return first !== first.toLowerCase() && after !== after.toUpperCase() && after === after.toLowerCase();
}

/** The query with misspelled words as the site spells them; names and code stay. @param {Library} library @param {Query} query */
export async function correctSpelling(library, query) {
  const unknown = await unknownOf(library, query);
  const terms = await Promise.all(query.terms.map((term) => (unknown.has(term) ? nearestSpelling(library, term) : term)));
  return { ...query, terms: [...new Set(terms)] };
}

/** The query with unknown compounds split into words of the site; names stay whole. @param {Library} library @param {Query} query */
export async function splitCompounds(library, query) {
  const links = library.facts.links[library.language];
  if (!links && library.language !== 'ar') return query;
  const unknown = await unknownOf(library, query);
  const looked = new Set(query.terms.filter((term) => unknown.has(term)).slice(0, rules.spelling.most_parted));
  const terms = query.terms.flatMap((term) => {
    const parts = looked.has(term) ? links ? partsOf(library, term, links) : withoutPreposition(library, term) : [];
    return parts.length > 0 ? parts : [term];
  });
  return { ...query, terms: [...new Set(terms)] };
}

/** @param {Library} library @param {Query} query */
async function unknownOf(library, { terms, names, codes }) {
  const kept = new Set([...names, ...codes.flatMap((code) => termsOf(library, code))]);
  const counts = await countsOf(library, terms);
  return new Set(counts.filter(({ term, anywhere }) => anywhere === 0 && !kept.has(term)).map(({ term }) => term));
}

/**
 * The term that a misspelled word most likely stands for, of equally near ones the most frequent; the word itself if none is near.
 * @param {Library} library @param {string} word
 */
async function nearestSpelling(library, word) {
  const { shortest, long, letters } = rules.spelling;
  const bare = library.lexicon.withoutEnding(word);
  if (bare.length < shortest || !letters.test(bare)) return word;
  const wrong = bare.length < long ? 1 : 2;
  const forms = library.shards.flatMap(({ vocabulary, terms }) => (
    [...vocabulary.near(bare)].filter(([form, number]) => form === terms[number] && letters.test(form)).map(([form]) => form)));
  const near = new Map(forms.map((form) => [form, distance(form, bare, wrong)]));
  const away = (/** @type {string} */ term) => near.get(term) ?? Infinity;
  const counts = await countsOf(library, forms.filter((form) => away(form) <= wrong));
  counts.sort((a, b) => away(a.term) - away(b.term) || b.anywhere - a.anywhere || (a.term < b.term ? -1 : 1));
  return counts[0]?.term ?? word;
}

/** @param {Library} library @param {string} word */
const isKnown = ({ shards }, word) => shards.some(({ vocabulary }) => !vocabulary.exactly(word).next().done);

/**
 * The known words that make up a word, as few as possible; of equally many those with the longest first one.
 * @param {Library} library @param {string} word @param {string[]} links
 */
function partsOf(library, word, links) {
  const { shortest_part: part, shortest_first: first, shortest_word: shortest, longest_word: longest } = rules.spelling;
  if (!rules.spelling.alphabetic.test(word) || word.length < shortest || word.length > longest) return [];
  const { termOf } = library.lexicon;
  const holds = (/** @type {string} */ one, /** @type {number} */ least) => one.length >= least && isKnown(library, termOf(one));
  /** @param {string} whole @param {number} count @param {number} least  Letters of the first part. @returns {string[]} */
  function fewest(whole, count, least) {
    /** @type {string[]} */
    let best = [];
    for (const end of range(first, whole.length - part + 1).reverse()) {
      const [head, rest] = [whole.slice(0, end), whole.slice(end)];
      const bare = ['', ...links].filter((link) => head.endsWith(link)).map((link) => head.slice(0, head.length - link.length))
        .find((one) => holds(one, least));
      if (!bare) continue;
      if (holds(rest, part)) return [bare, rest];
      const others = count > 2 ? fewest(rest, count - 1, part) : [];
      if (others.length > 0 && (best.length === 0 || others.length + 1 < best.length)) best = [bare, ...others];
    }
    return best;
  }
  return fewest(word, rules.spelling.most_parts, first).map(termOf);
}

/** @param {Library} library @param {string} term */
function withoutPreposition(library, term) {
  const rest = term.slice(1);
  return rules.spelling.arabic_preposition.test(term) && isKnown(library, rest) ? [library.lexicon.termOf(rest)] : [];
}
