import { remembered, rules, sum } from './rules.js';
import { termsOf } from './terms.js';
/** @import {Library, Part, Query, Scores} from './types.js' */
/** @import {Section} from '../search/shard.js' */

/** Rankers' scores combined (`pincite_core.search.fusion`), and factors for what a section is (`pincite_core.search.priors`). */

/**
 * The weights if vectors count less than 1 and words hold only a share of the question.
 * @param {Record<string, number>} weights
 * @param {number} vectors
 * @param {number} share
 */
export function trusting(weights, vectors, share) {
  const { cosines, lexical, text_alone: alone } = rules.fusion;
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => {
    const trusted = cosines.includes(name) ? weight * vectors : weight + (name === 'body' ? alone * (1 - vectors) : 0);
    return [name, lexical.includes(name) ? share * trusted : trusted];
  }));
}

/**
 * The weighted mean of the rankers' normalised scores, each 0 to 1.
 * @param {Scores} rankers
 * @param {Record<string, number>} weights
 * @param {number} vectors
 */
export function fused(rankers, weights, vectors) {
  const { cosines, texts } = rules.fusion;
  const taken = Object.entries(weights).filter(([name]) => name in rankers);
  const total = sum(taken.map(([, weight]) => weight)) || 1;
  const found = /** @type {string[]} */ (texts).filter((name) => name in rankers);
  const peaks = new Map(found.map((name) => [name, peak(rankers[name])]));
  const whole = Math.max(...peaks.values());
  const sums = new Float64Array(rankers.body.length);
  for (const [name, weight] of taken) {
    const least = vectors === 1 || !texts.includes(name) ? 0 : vectors * (peaks.get(name) ?? 0) + (1 - vectors) * whole;
    const scores = cosines.includes(name) ? spread(rankers[name]) : shares(rankers[name], least);
    scores.forEach((score, at) => { sums[at] += weight * score; });
  }
  return sums.map((score) => score / total);
}

/** @param {Float64Array} scores  Not negative. */
const peak = (scores) => scores.reduce((most, score) => (score > most ? score : most), 0);

/** Between 0, the worst and missing scores, and 1, the best. @param {Float64Array} scores */
function spread(scores) {
  const found = scores.filter((score) => !Number.isNaN(score));
  const low = found.reduce((least, score) => Math.min(least, score), Infinity);
  const high = found.reduce((most, score) => Math.max(most, score), -Infinity);
  const isSame = !(high - low > rules.fusion.same_cosine);
  return scores.map((score) => (Number.isNaN(score) ? 0 : isSame ? 1 : (score - low) / (high - low)));
}

/** Shares of the best score, or of `least` if that is more. @param {Float64Array} scores @param {number} least */
function shares(scores, least) {
  const most = Math.max(peak(scores), least);
  return scores.map((score) => (most > 0 && !Number.isNaN(score) ? score / most : 0));
}

/** The factor of each part's score. @param {Library} library @param {Part[]} parts @param {Query} query */
export function priors(library, parts, query) {
  const { priors: worth } = rules;
  const words = tellingTerms(library, query.text);
  const past = worth.asks_the_past.test(query.text) ? 1 : worth.past;
  const changes = worth.asks_of_changes.test(query.text) ? 1 : worth.changes;
  const reference = query.codes.length > 0 ? 1 : worth.reference;
  return parts.map(({ shard, part }) => {
    const section = shard.sections[shard.sectionOfPart[part]];
    const named = `${section.page}\n${section.url.replace(/[/_-]/gu, ' ')}\n${section.url}`;
    const told = worth.tells_the_past.test(named) ? past : 1;
    const kind = { blog: worth.blog, api: reference }[section.kind] ?? told;
    const isChangelog = worth.lists_changes.test(`${titleOf(section)}\n${named}`);
    const place = Math.min(isChangelog ? changes : kind, section.member ? reference : 1);
    return place * ofTitle(library, section, words) * (shard.exact.brief.includes(part) ? worth.brief : 1);
  });
}

/** @param {Section} section */
const titleOf = ({ path, page }) => path.at(-1) ?? page;

/** @param {Library} library @param {Section} section @param {Set<string>} words  Telling terms of the question. */
function ofTitle(library, section, words) {
  const { leads_on: further, fewest_words: fewest, ...worth } = rules.priors;
  if (further.test(titleOf(section))) return worth.further;
  const said = tellingTerms(library, titleOf(section));
  const isAsked = said.size >= fewest && [...said].every((term) => words.has(term));
  return isAsked ? 1 + worth.heading * said.size / words.size : 1;
}

/** @type {WeakMap<Library['lexicon'], (text: string) => Set<string>>} */
const telling = new WeakMap();

/** A text's terms without stop words, in any order, case and spelling with hyphens. @param {Library} library @param {string} text */
function tellingTerms(library, text) {
  const { lexicon } = library;
  const read = telling.get(lexicon) ?? remembered((/** @type {string} */ told) => (
    new Set(termsOf(library, told.replaceAll('_', ' ')).filter((term) => !lexicon.isSmall(term)))));
  telling.set(lexicon, read);
  return read(text);
}
