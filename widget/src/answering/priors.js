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
  const asks = asksOf(library, query);
  return parts.map(({ shard, part }) => {
    const section = shard.sections[shard.sectionOfPart[part]];
    const brief = shard.exact.brief.includes(part) ? library.facts.tables.priors.brief : 1;
    return ofPlace(library, section, asks) * ofTitle(library, section, asks) * brief;
  });
}

/**
 * What a question asks of: its telling words, and what a reference, the past and a list of changes are worth to it.
 * @typedef {{ words: Set<string>, reference: number, past: number, changes: number }} Asks
 *
 * @param {Library} library
 * @param {import('./types.js').Query} query
 * @returns {Asks}
 */
function asksOf(library, { text, codes }) {
  const { tables } = library.facts;
  const { priors: worth } = tables;
  return {
    words: tellingTerms(library, text),
    reference: codes.length > 0 ? 1 : worth.reference,
    past: patternOf(tables, 'asks_the_past').test(text) ? 1 : worth.past,
    changes: patternOf(tables, 'asks_of_changes').test(text) ? 1 : worth.changes,
  };
}

/** The title of a section. @param {Section} section */
export const titleOf = ({ path, page }) => path.at(-1) ?? page;

/**
 * @param {Library} library
 * @param {Section} section
 * @param {Asks} asks
 */
function ofPlace({ facts: { tables } }, section, { reference, past, changes }) {
  const { kind, member, url, page } = section;
  const named = `${page}\n${url.replace(/[/_-]/gu, ' ')}\n${url}`;
  const told = patternOf(tables, 'tells_the_past').test(named) ? past : 1;
  const worth = { blog: tables.priors.blog, api: reference }[kind] ?? told;
  return Math.min(patternOf(tables, 'lists_changes').test(`${titleOf(section)}\n${named}`) ? changes : worth, member ? reference : 1);
}

/**
 * @param {Library} library
 * @param {Section} section
 * @param {Asks} asks
 */
function ofTitle(library, section, { words }) {
  const { tables } = library.facts;
  const title = titleOf(section);
  if (patternOf(tables, 'leads_on').test(title)) return tables.priors.further;
  const said = tellingTerms(library, title);
  const isAsked = said.size >= tables.priors.fewest_words && [...said].every((term) => words.has(term));
  return isAsked ? 1 + tables.priors.heading * said.size / words.size : 1;
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
