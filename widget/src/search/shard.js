import { readVocabulary } from './vocabulary.js';

/** How a posting says how often, in three bits (`browser_bundle/postings.py`). */
const MOST_TIMES = 8;

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
 * @typedef {[places: number[], times: number[]]} Places
 * @typedef {Record<'body' | 'headings' | 'links' | 'page', Places>} Postings  Of parts, sections, sections, pages.
 * @typedef {[anchor: string, path: string[], lengths: number[], member?: 1]} SectionRow
 * @typedef {[url: string, title: string, kind: string, sections: SectionRow[]]} PageRow
 * @typedef {{pages: PageRow[], vocabulary: string, postings: number[], texts: number[]}} WordsFile
 */

/**
 * One scope's files, loaded as they are needed.
 * @param {ScopeEntry} entry
 * @param {(file: string) => Promise<any>} load  Its JSON.
 */
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
      sections.push({ url, page, kind, member: member === 1, anchor, path, firstPart: lengths.length, parts: own.length });
      for (const length of own) sectionOfPart.push(sections.length - 1) && lengths.push(length);
    }
    firstSections.push(sections.length);
  }
  /** @type {Map<string, Promise<any>>} */
  const parts = new Map();
  const part = (/** @type {string} */ file) => {
    const loading = parts.get(file) ?? load(file);
    loading.catch(() => parts.delete(file)); // What could not be had once can be had later.
    parts.set(file, loading);
    return loading;
  };
  const row = (/** @type {number[]} */ firsts, /** @type {string[]} */ files, /** @type {number} */ number) => {
    const at = firsts.findLastIndex((first) => first <= number);
    return part(files[at]).then((rows) => rows[number - firsts[at]]);
  };
  return {
    entry,
    sections,
    lengths,
    sectionOfPart,
    firstSections,
    vocabulary: readVocabulary(words.vocabulary),
    /** @param {number} term @returns {Promise<Postings>} */
    postings: (term) => row(words.postings, entry.postings, term).then(unpackRow),
    /** The text of a part. @param {number} number @returns {Promise<string>} */
    text: (number) => row(words.texts, entry.texts, number),
  };
}

/** @typedef {Awaited<ReturnType<typeof openShard>>} Shard */

/** @param {number[][]} columns @returns {Postings} */
function unpackRow([body, headings, links, page]) {
  return { body: unpack(body), headings: unpack(headings), links: unpack(links), page: unpack(page) };
}

/** @param {number[]} packed @returns {Places} */
export function unpack(packed) {
  let place = 0;
  return [packed.map((number) => place += Math.floor(number / MOST_TIMES)), packed.map((number) => number % MOST_TIMES + 1)];
}
