import { remembered } from '../search/files.js';
import { rules } from './rules.js';
import { cosines } from './vectors.js';
/** @import {AnswerEntry, AnswerShard, Embedded, Flag, Load, PlaceRow, RankedSection} from './types.js' */
/** @import {ScoredUnit, SectionRow, Shard, UnitKind, UnitMore, UnitRole, UnitRow} from './types.js' */

/** What the build told of units and sections (`browser_bundle/units.py`), read when it is needed, and the sections that others lead to. */

const BITS = 3; // Of a kind, and of a role.

/** The facts and units of a scope. @param {AnswerEntry} entry @param {Shard} shard @param {Load} load */
export function createUnits(entry, { sections, sectionOfPart }, load) {
  /** @param {number} part */
  async function fileOf(part) {
    /** @type {{texts: number[]}} */
    const { texts } = await load(entry.words[0]);
    const at = texts.findLastIndex((first) => first <= part);
    /** @type {{parts: UnitRow[][], sections: SectionRow[]}} */
    const file = await load(entry.units[at]);
    return { file, first: texts[at] };
  }

  const factsOf = remembered(async (/** @type {number} */ number) => {
    const { url, page, kind, anchor, path, firstPart, parts } = sections[number];
    const { file, first } = await fileOf(firstPart);
    const begun = sectionOfPart[first]; // It may have begun in the file before.
    const row = file.sections[number - begun - Number(sections[begun].firstPart < first)];
    const { id, chunk, fragment, module = '', cited, places = [], links = [], around = [], reading = false, untranslated = false } = row;
    const headings = [page, ...path];
    const placeOf = (/** @type {PlaceRow} */ place) => {
      const { anchor: own = '', fragment: encoded = own, title, path: below = [...headings, title], other = false } = place;
      return {
        id: place.id, url, anchor: own, fragment: encoded, page, title: module ? `${module}: ${page}` : page, path: below,
        section: own ? title : '', sourceType: kind, cited: place.cited ?? {}, other,
      };
    };
    const itself = placeOf({ id, anchor, fragment, title: headings[headings.length - 1], path: headings, cited });
    return { firstPart, parts, chunk, places: [itself, ...places.map(placeOf)], links, around, reading, untranslated };
  });

  /** The units of a part, each with its place in the part's text. @param {number} part */
  async function unitsOf(part) {
    const { file, first } = await fileOf(part);
    /** @type {{kinds: UnitKind[], roles: UnitRole[], flags: Flag[]}} */
    const { kinds, roles, flags } = /** @type {any} */ (rules.units);
    let end = 0;
    return file.parts[part - first].map(([gap, length, bits = 0, place = 0, passage = [], more = {}]) => {
      const start = end + gap;
      end = start + length;
      /** @type {Record<Flag, boolean>} */
      const flagged = /** @type {any} */ (Object.fromEntries(flags.map((name, at) => [name, (bits >> 2 * BITS + at & 1) === 1])));
      /** @type {UnitMore} */
      const rest = { mark: '', labels: [], tab: '', first: '', cells: [], links: [], tabs: [], ...more };
      return { start, end, place, passage, kind: kinds[bits & 7], role: roles[bits >> BITS & 7], ...rest, ...flagged };
    });
  }

  return { factsOf, unitsOf };
}

/**
 * The second step (`answering/corpus/linked_sections.py`): the nearest section that some sections link to, or that is around them.
 * @param {Embedded | null} embedded @param {RankedSection[]} sections
 */
export async function linkedSections(embedded, sections) {
  const around = await Promise.all(sections.map(async ({ shard, section }) => {
    const { links, around: beside } = await shard.factsOf(section);
    const pageSection = (/** @type {number} */ page) => shard.sectionsOf(page).find((number) => !shard.sections[number].anchor) ?? -1;
    const linked = links.map(([, reach]) => (typeof reach === 'number' ? pageSection(reach) : reach?.[0] ?? -1));
    return bestParts(shard, embedded, sections, [...linked, ...beside]);
  }));
  return around.flat().sort((a, b) => b.score - a.score).slice(0, 1);
}

/**
 * What was found; the best section around takes the last place if it is nearer than all, on another page.
 * @param {RankedSection[]} found @param {RankedSection[]} around
 */
export function nearestOfBoth(found, around) {
  const pageOf = (/** @type {RankedSection} */ { shard, section }) => shard.sections[section].url;
  const pages = new Set(found.map(pageOf));
  const best = found.length > 0 ? Math.max(...found.map(({ cosine }) => cosine)) : 1;
  const nearer = around.slice(0, 1).filter((section) => section.cosine > best && !pages.has(pageOf(section)));
  return [...found.slice(0, found.length - nearer.length), ...nearer];
}

/**
 * The nearest of what a section's own words send the reader to ("see X"); null when they name no place.
 * @param {Embedded | null} embedded @param {RankedSection} section @param {ScoredUnit[]} units
 */
export async function followReference(embedded, section, units) {
  const { shard, section: number, score } = section;
  const { links } = await shard.factsOf(number);
  const goals = units.filter(({ role }) => role === 'refers').flatMap((unit) => unit.links.map(([, , link]) => links[link]));
  const reached = goals.flatMap(([, reach]) => (typeof reach === 'number' ? shard.sectionsOf(reach) : reach ?? []));
  const [best] = await bestParts(shard, embedded, [section], reached);
  return best ? { ...best, score } : null;
}

/**
 * The best part of each section that is not known, the nearest first; its score is its cosine. Number -1 is no section.
 * @type {(shard: AnswerShard, embedded: Embedded | null, known: RankedSection[], numbers: number[]) => Promise<RankedSection[]>}
 */
async function bestParts(shard, embedded, known, numbers) {
  const own = new Set(known.filter((section) => section.shard === shard).map(({ section }) => section));
  const others = [...new Set(numbers)].filter((number) => number >= 0 && !own.has(number));
  const vectors = embedded && others.length > 0 ? await shard.vectors() : null;
  return others.map((section) => {
    const { firstPart, parts } = shard.sections[section];
    const rows = vectors?.ofParts.subarray(firstPart, firstPart + parts);
    const near = vectors && embedded ? cosines(embedded.vector, vectors, rows) : new Float32Array(parts);
    const best = near.indexOf(Math.max(...near));
    return { shard, section, part: firstPart + best, unit: null, landsOnUnit: false, score: near[best], cosine: near[best] };
  }).sort((a, b) => b.score - a.score);
}
