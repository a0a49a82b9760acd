import { remembered } from './files.js';
import { range } from './numbers.js';
import { readVocabulary } from './vocabulary.js';

/** Three bits of a posting tell how often (`browser_bundle/postings.py`). */
const MOST_TIMES = 8;

/** The columns of postings, in the order of the files. */
export const COLUMNS = /** @type {const} */ (['body', 'headings', 'links', 'page']);

/**
 * @typedef {object} ScopeEntry  A scope as the manifest names it.
 * @property {string} plugin
 * @property {string | null} version
 * @property {string | null} version_label
 * @property {boolean} is_last
 * @property {string} locale
 * @property {string[]} [folders]  Paths of the folders with its pages, if a folder tells the version.
 * @property {string[]} words
 * @property {string[]} postings
 * @property {string[]} texts
 *
 * @typedef {object} Section
 * @property {string} url  Its page's.
 * @property {string} page  Its page's title.
 * @property {string} kind
 * @property {boolean} member  Whether it is a member of a programming interface.
 * @property {string} anchor
 * @property {string[]} path  The headings below the page's title, its own last.
 * @property {number} firstPart
 * @property {number} parts
 *
 * @typedef {{parts: number[], times: number[]}} Counts  The parts with a term in a column, and how often each has it.
 * @typedef {[anchor: string, path: string[], lengths: number[], member?: 1]} SectionRow
 * @typedef {[url: string, title: string, kind: string, sections: SectionRow[]]} PageRow
 * @typedef {{pages: PageRow[], vocabulary: string, postings: number[], texts: number[]}} WordsFile
 *
 * @typedef {Awaited<ReturnType<typeof openShard>>} Shard
 */

/** One scope's files, loaded as they are needed. @param {ScopeEntry} entry @param {(file: string) => Promise<any>} load  Its JSON. */
export async function openShard(entry, load) {
  /** @type {WordsFile} */
  const words = await load(entry.words[0]);
  /** @type {Section[]} */
  const sections = [];
  /** @type {number[]} */
  const lengths = [];
  /** @type {number[]} */
  const sectionOfPart = [];
  /** The first section of each page, and the number of all at the end. */
  const firstSections = [0];
  for (const [url, page, kind, rows] of words.pages) {
    for (const [anchor, path, own, member] of rows) {
      sections.push({ url, page, kind, member: !!member, anchor, path, firstPart: lengths.length, parts: own.length });
      for (const length of own) sectionOfPart.push(sections.length - 1) && lengths.push(length);
    }
    firstSections.push(sections.length);
  }
  const rows = remembered(load);
  const row = async (/** @type {number[]} */ firsts, /** @type {string[]} */ files, /** @type {number} */ number) => {
    const at = firsts.findLastIndex((first) => first <= number);
    return (await rows(files[at]))[number - firsts[at]];
  };
  const partsOf = (/** @type {number} */ section) => {
    const { firstPart, parts } = sections[section];
    return range(firstPart, firstPart + parts);
  };
  const sectionsOf = (/** @type {number} */ page) => range(firstSections[page], firstSections[page + 1]);
  const partsAt = {
    body: (/** @type {number} */ part) => [part], headings: partsOf, links: partsOf,
    page: (/** @type {number} */ page) => sectionsOf(page).flatMap(partsOf),
  };
  return {
    entry, sections, lengths, sectionOfPart, partsOf, sectionsOf,
    vocabulary: readVocabulary(words.vocabulary),
    /** Where a term stands, by column. @param {number} term */
    async counts(term) {
      const packed = await row(words.postings, entry.postings, term);
      const columns = COLUMNS.map((name, at) => [name, unpack(packed[at], partsAt[name])]);
      return /** @type {Record<typeof COLUMNS[number], Counts>} */ (Object.fromEntries(columns));
    },
    /** The text of a part. @param {number} number @returns {Promise<string>} */
    text: (number) => row(words.texts, entry.texts, number),
  };
}

/** @param {number[]} packed @param {(place: number) => number[]} partsAt @returns {Counts} */
export function unpack(packed, partsAt) {
  /** @type {Counts} */
  const counts = { parts: [], times: [] };
  let place = 0;
  packed.forEach((number, at) => {
    if (number < 0) return;
    place += Math.floor(number / MOST_TIMES);
    for (const part of partsAt(place)) {
      counts.parts.push(part);
      counts.times.push(packed[at + 1] < 0 ? -packed[at + 1] : number % MOST_TIMES + 1);
    }
  });
  return counts;
}
