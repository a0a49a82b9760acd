import { rules } from './rules.js';

/**
 * What the build told of units and sections (`browser_bundle/units.py`), read when it is needed.
 *
 * @typedef {import('./types.js').AnswerShard} AnswerShard
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').Place} Place
 * @typedef {import('./types.js').SectionFacts} SectionFacts
 * @typedef {import('./types.js').Unit} Unit
 * @typedef {[gap: number, length: number, facts?: number, place?: number, passage?: number[], more?: Unit['more']]} UnitRow
 * @typedef {{parts: UnitRow[][], sections: any[]}} UnitsFile
 */

const BITS = 3; // Of a kind, and of a role.

/** @type {WeakMap<AnswerShard, Map<number, Promise<SectionFacts>>>} */
const known = new WeakMap();

/**
 * @param {Library} library
 * @param {AnswerShard} shard
 * @param {number} number
 * @returns {Promise<SectionFacts>}
 */
export function sectionFacts(library, shard, number) {
  const sections = known.get(shard) ?? new Map();
  known.set(shard, sections);
  const facts = sections.get(number) ?? readSection(library, shard, number);
  sections.set(number, facts);
  facts.catch(() => sections.delete(number));
  return facts;
}

/**
 * @param {Library} library
 * @param {AnswerShard} shard
 * @param {number} number
 * @returns {Promise<SectionFacts>}
 */
async function readSection(library, shard, number) {
  const { url, page, kind, anchor, path, firstPart, parts } = shard.sections[number];
  const { file, first } = await fileOf(library, shard, firstPart);
  const { id, chunk, module = '', cited = {}, ...told } = file.sections[number - sectionFrom(shard, first)];
  const headings = [page, ...path];
  const shown = { page, url, sourceType: kind, title: module ? `${module}: ${page}` : page };
  /** @type {Place} */
  const own = { ...shown, id, anchor, path: headings, section: anchor ? headings[headings.length - 1] : '', cited, other: false };
  const places = (told.places ?? []).map((/** @type {any} */ place) => ({
    ...shown, id: place.id, anchor: place.anchor ?? '', path: place.path ?? [...headings, place.title], section: place.anchor ? place.title : '',
    cited: place.cited ?? {}, other: !!place.other,
  }));
  return {
    shard, number, firstPart, parts, chunk, places: [own, ...places], links: told.links ?? [],
    around: told.around ?? [], reading: !!told.reading, untranslated: !!told.untranslated,
  };
}

/**
 * The units of a part, each with its place in the part's text.
 * @param {Library} library
 * @param {AnswerShard} shard
 * @param {number} part
 * @returns {Promise<Unit[]>}
 */
export async function unitsOf(library, shard, part) {
  const { file, first } = await fileOf(library, shard, part);
  let end = 0;
  const { kinds, roles, flags } = rules.units;
  return file.parts[part - first].map(([gap, length, facts = 0, place = 0, passage = [], more = {}]) => {
    const start = end + gap;
    end = start + length;
    const held = Object.fromEntries(/** @type {string[]} */ (flags).map((name, at) => [name, (facts >> 2 * BITS + at & 1) === 1]));
    return /** @type {Unit} */ ({
      start, end, place, passage, more, ...held, goesOn: held.goes_on, kind: kinds[facts & 7], role: roles[facts >> BITS & 7],
    });
  });
}

/**
 * @param {Library} library
 * @param {AnswerShard} shard
 * @param {number} part
 */
async function fileOf(library, shard, part) {
  const { texts } = await library.load(shard.entry.words[0]);
  const at = texts.findLastIndex((/** @type {number} */ first) => first <= part);
  return { file: /** @type {UnitsFile} */ (await library.load(shard.entry.units[at])), first: /** @type {number} */ (texts[at]) };
}

/** The first section that begins at a part or after it. @param {AnswerShard} shard @param {number} part */
function sectionFrom(shard, part) {
  const section = shard.sectionOfPart[part];
  return shard.sections[section].firstPart < part ? section + 1 : section;
}
