import { cosines } from './vectors.js';
import { sectionFacts } from './units.js';

/**
 * The second step: where the best sections lead to, looked through with the question (`answering/corpus/linked_sections.py`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').RankedSection} RankedSection
 * @typedef {import('./types.js').Embedded} Embedded
 */

/**
 * The nearest section that some sections link to, or that stand around them on their page.
 * @param {Library} library
 * @param {Embedded | null} embedded
 * @param {RankedSection[]} sections
 * @returns {Promise<RankedSection[]>}
 */
export async function linkedSections(library, embedded, sections) {
  const around = await Promise.all(sections.map(async ({ shard, section }) => {
    const { links, around: beside } = await sectionFacts(library, shard, section);
    const linked = links.map(([, reach]) => (typeof reach === 'number' ? pageSection(shard, reach) : reach?.[0] ?? -1));
    return bestParts(shard, embedded, unlike(sections, shard, [...linked, ...beside]));
  }));
  return around.flat().sort((a, b) => b.score - a.score).slice(0, 1);
}

/**
 * What was found; the best section around takes the last place if it is nearer than all, on another page.
 * @param {RankedSection[]} found
 * @param {RankedSection[]} around
 */
export function nearestOfBoth(found, around) {
  const pages = new Set(found.map(pageOf));
  const best = found.length > 0 ? Math.max(...found.map(({ cosine }) => cosine)) : 1;
  const nearer = around.slice(0, 1).filter((section) => section.cosine > best && !pages.has(pageOf(section)));
  return [...found.slice(0, found.length - nearer.length), ...nearer];
}

/**
 * The nearest of what a section's own words send the reader to ("see X"); null when they name no place.
 * @param {Library} library
 * @param {Embedded | null} embedded
 * @param {RankedSection} section
 * @param {import('./types.js').ScoredUnit[]} units
 * @returns {Promise<RankedSection | null>}
 */
export async function followReference(library, embedded, section, units) {
  const { shard } = section;
  const { links } = await sectionFacts(library, shard, section.section);
  const goals = units.filter(({ role }) => role === 'refers').flatMap((unit) => unit.links.map(([, , number]) => links[number]));
  const reached = goals.flatMap(([, reach]) => (typeof reach === 'number' ? pageSections(shard, reach) : reach ?? []));
  const [best] = await bestParts(shard, embedded, unlike([section], shard, reached));
  return best ? { ...best, score: section.score } : null;
}

/**
 * The best part of each section, the nearest first; its score is its cosine.
 * @param {import('./types.js').AnswerShard} shard
 * @param {Embedded | null} embedded
 * @param {number[]} numbers
 * @returns {Promise<RankedSection[]>}
 */
async function bestParts(shard, embedded, numbers) {
  const vectors = embedded && numbers.length > 0 ? await shard.vectors() : null;
  return numbers.map((section) => {
    const { firstPart, parts } = shard.sections[section];
    const rows = vectors?.ofParts.subarray(firstPart, firstPart + parts);
    const near = vectors && embedded ? cosines(embedded.vector, vectors, rows) : new Float32Array(parts);
    const best = near.indexOf(Math.max(...near));
    return { shard, section, part: firstPart + best, unit: null, landsOnUnit: false, score: near[best], cosine: near[best] };
  }).sort((a, b) => b.score - a.score);
}

/** @param {RankedSection[]} known @param {RankedSection['shard']} shard @param {number[]} numbers */
function unlike(known, shard, numbers) {
  const own = new Set(known.filter((section) => section.shard === shard).map(({ section }) => section));
  return [...new Set(numbers)].filter((number) => number >= 0 && !own.has(number));
}

/** @param {RankedSection['shard']} shard @param {number} page */
function pageSections({ firstSections }, page) {
  return Array.from({ length: firstSections[page + 1] - firstSections[page] }, (_, at) => firstSections[page] + at);
}

/** The section that is the page's own. @param {RankedSection['shard']} shard @param {number} page */
function pageSection(shard, page) {
  return pageSections(shard, page).find((section) => !shard.sections[section].anchor) ?? -1;
}

/** @param {RankedSection} section */
const pageOf = ({ shard, section }) => shard.sections[section].url;
