import { patternOf } from './patterns.js';
import { termsOf } from './terms.js';

/**
 * What a section is worth for what it is, beside what it says (`pincite_core.search.priors`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('../search/shard.js').Section} Section
 */

/**
 * What each of some parts' score is multiplied with.
 * @param {Library} library
 * @param {import('./candidates.js').Part[]} parts
 * @param {import('./types.js').Query} query
 */
export function priors(library, parts, query) {
  const { tables } = library.facts;
  const asksThePast = patternOf(tables, 'asks_the_past').test(query.text);
  const asked = tellingTerms(library, query.text);
  /** @type {Map<Section, number>} */
  const worth = new Map();
  return parts.map(({ shard, part }) => {
    const section = shard.sections[shard.sectionOfPart[part]];
    const known = worth.get(section) ?? ofPlace(tables, section, query.codes.length > 0, asksThePast) * ofTitle(library, section, asked);
    worth.set(section, known);
    return isBrief(shard, part) ? known * tables.priors.brief : known;
  });
}

/** The title of a section. @param {Section} section */
export const titleOf = ({ path, page }) => path.at(-1) ?? page;

/**
 * @param {import('./types.js').AnswersTables} tables
 * @param {Section} section
 * @param {boolean} namesCode
 * @param {boolean} asksThePast
 */
function ofPlace(tables, { kind, member, url, page }, namesCode, asksThePast) {
  const reference = namesCode ? 1 : tables.priors.reference;
  if (kind === 'blog') return tables.priors.blog;
  if (kind === 'api') return reference;
  const past = patternOf(tables, 'tells_the_past');
  const tells = past.test(url.replace(/[/_-]/gu, ' ')) || past.test(page) || patternOf(tables, 'lists_changes').test(url);
  return Math.min(tells && !asksThePast ? tables.priors.past : 1, member ? reference : 1);
}

/**
 * @param {Library} library
 * @param {Section} section
 * @param {Set<string>} asked
 */
function ofTitle(library, section, asked) {
  const { priors: worth } = library.facts.tables;
  const title = titleOf(section);
  if (patternOf(library.facts.tables, 'leads_on').exec(title.trim())?.[0] === title.trim()) return worth.further;
  const said = tellingTerms(library, title);
  const isAsked = said.size >= worth.fewest_words && [...said].every((term) => asked.has(term));
  return isAsked ? 1 + worth.heading * said.size / asked.size : 1;
}

/** @type {WeakMap<Library, Map<string, Set<string>>>} */
const told = new WeakMap();

/**
 * A text's terms without small words; hyphens, case and order say nothing.
 * @param {Library} library
 * @param {string} text
 */
function tellingTerms(library, text) {
  const known = told.get(library) ?? new Map();
  told.set(library, known);
  const terms = known.get(text) ?? new Set(termsOf(library, text.replaceAll('_', ' ')).filter((term) => !library.lexicon.isSmall(term)));
  known.set(text, terms);
  return terms;
}

/** @type {WeakMap<import('./types.js').ExactFile, Set<number>>} */
const brief = new WeakMap();

/** @param {import('./types.js').AnswerShard} shard @param {number} part */
function isBrief({ exact }, part) {
  const known = brief.get(exact) ?? new Set(exact.brief);
  brief.set(exact, known);
  return known.has(part);
}
