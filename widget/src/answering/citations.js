import { sectionFacts, unitsOf } from './units.js';

/**
 * Citations: every field out of the index, every URL the page's own plus an anchor that exists (`answering/citations.py`).
 *
 * @typedef {import('./types.js').Asking} Asking
 * @typedef {import('./types.js').Place} Place
 * @typedef {import('./types.js').RankedSection} RankedSection
 * @typedef {import('./types.js').Statement} Statement
 * @typedef {import('./types.js').SentCitation} SentCitation
 */

export const MAX_CITATIONS = 5;
const OF_ONE_PAGE = 4;
const FENCE = /^ *`{3,}[^`\n]*$/gmu;
const EXCERPT = 200;

/** What a fragment may have as it is; a browser's own function encodes it. */
const PLAIN_IN_FRAGMENTS = /%(?:2F|24|26|2B|2C|3A|3B|3D|3F|40|5B|5D|7B|7D|7C|5E|5C|23)/gu;

/** @param {Place} place  Its URL, relative to the root of its host. */
export function urlOf({ url, anchor }) {
  return anchor ? `${url}#${encodeURIComponent(anchor).replace(PLAIN_IN_FRAGMENTS, decodeURIComponent)}` : url;
}

/**
 * Numbers the statements' places in the order they are read, and adds further qualifying sections, five in all; what is shown of a place
 * is the statement that is nearest to the question.
 * @param {Asking} asking
 * @param {Statement[]} statements
 */
export async function citeAll(asking, statements) {
  /** @type {Map<string, Statement>} */
  const places = new Map();
  for (const statement of statements) {
    const known = places.get(statement.place.id);
    if (!known || statement.score > known.score) places.set(statement.place.id, statement);
  }
  const numbers = new Map([...places.keys()].map((id, at) => [id, at + 1]));
  const used = [...places.values()].map(({ place, text, facts, ordinal }, at) => (
    citePlace(place, at + 1, excerptOf(text), facts.chunk + ordinal)));
  const taken = new Set([...statements.map(({ facts }) => facts.places[0].id), ...numbers.keys()]);
  /** @type {RankedSection[]} */
  const rest = [];
  for (const section of asking.result.sections) {
    const facts = await sectionFacts(asking.library, section.shard, section.section);
    const { place } = await landingOf(asking, section);
    if (!taken.has(facts.places[0].id) && !taken.has(place.id)) rest.push(section);
  }
  const further = spread(rest, [...places.values()].map(({ place }) => place.url));
  return { numbers, citations: [...used, ...await nearestCitations(asking, further)] };
}

/**
 * The best sections that make up five citations, beside those of some pages; four of one page at most, where there are others.
 * @param {RankedSection[]} sections
 * @param {string[]} pages
 */
function spread(sections, pages) {
  const kept = sections.filter(({ shard, section }) => {
    const { url } = shard.sections[section];
    const isFew = pages.filter((page) => page === url).length < OF_ONE_PAGE;
    if (isFew) pages = [...pages, url];
    return isFew;
  });
  const wanted = Math.max(0, MAX_CITATIONS - (pages.length - kept.length));
  return [...kept, ...sections.filter((section) => !kept.includes(section))].slice(0, wanted);
}

/**
 * Unnumbered citations of some sections.
 * @param {Pick<Asking, 'library' | 'hears'>} asking
 * @param {RankedSection[]} sections
 * @returns {Promise<SentCitation[]>}
 */
export function nearestCitations(asking, sections) {
  return Promise.all(sections.map(async (section) => {
    const { place, chunk, text } = await landingOf(asking, section);
    return citePlace(place, null, excerptOf(text), chunk);
  }));
}

/**
 * Where a reader is sent for a section, and what stands there.
 * @param {Pick<Asking, 'library' | 'hears'>} asking
 * @param {RankedSection} section
 */
async function landingOf({ library, hears }, { shard, section, part, unit, landsOnUnit }) {
  const facts = await sectionFacts(library, shard, section);
  const [text, units] = [await shard.text(part), await unitsOf(library, shard, part)];
  const near = unit === null ? undefined : units[unit];
  const shown = near && (hears || !near.injection) ? near : undefined;
  const last = hears || !units.at(-1)?.injection ? text.length : units.findLast(({ injection }) => !injection)?.end ?? 0;
  const place = facts.places[landsOnUnit && shown ? shown.place : 0];
  return { place, chunk: facts.chunk + part - facts.firstPart, text: text.slice(shown?.start ?? 0, last) };
}

/**
 * The sections whose best part has units that do not address an assistant.
 * @param {Pick<Asking, 'library' | 'hears'>} asking
 * @param {RankedSection[]} sections
 */
export async function readableSections({ library, hears }, sections) {
  const read = await Promise.all(sections.map(({ shard, part }) => unitsOf(library, shard, part)));
  return sections.filter((_, at) => hears || read[at].length === 0 || !read[at][0].injection);
}

/**
 * @param {Place} place
 * @param {number | null} n  Null when no statement of the answer uses it.
 * @param {string} excerpt
 * @param {number | null} chunk
 * @returns {SentCitation}
 */
export function citePlace(place, n, excerpt, chunk) {
  return {
    n, used: n !== null, stable_id: place.id, title: place.title, heading_path: place.path, section: place.section, page: place.page,
    url: urlOf(place), anchor: place.anchor || null, chunk_id: chunk, source_type: place.sourceType, excerpt, verified: true,
  };
}

/** The start of a text on one line, without the fences of code, cut after a whole word. @param {string} text */
export function excerptOf(text) {
  const flat = text.replace(FENCE, '').split(/\s+/u).filter(Boolean).join(' ');
  const signs = [...flat];
  if (signs.length <= EXCERPT) return flat;
  const cut = signs.slice(0, EXCERPT).join('');
  const blank = cut.lastIndexOf(' ');
  return `${(blank < 0 ? cut : cut.slice(0, blank)).replace(/[,;:]+$/u, '')}…`;
}
