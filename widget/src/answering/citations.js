import { every, rules } from './rules.js';
/** @import {AnswerContext, Place, QuestionContext, RankedSection, ScoredUnit} from './types.js' */

/** Citations: every field is of the index, every URL the page's own plus an anchor that exists (`answering/citations.py`). */

/** Characters that a fragment may have as they are; a browser's own function encodes them. */
const PLAIN_IN_FRAGMENTS = /%(?:2F|24|26|2B|2C|3A|3B|3D|3F|40|5B|5D|7B|7D|7C|5E|5C|23)/gu;

/**
 * Numbers the statements' places in reading order, and adds further sections, five citations in all. A place is shown by the statement
 * that is nearest to the question.
 * @param {AnswerContext} context @param {ScoredUnit[]} statements
 */
export async function citeAll(context, statements) {
  /** @type {Map<string, ScoredUnit>} */
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
  for (const section of context.result.sections) {
    const { place, own } = await landingOf(context, section);
    if (!taken.has(own.id) && !taken.has(place.id)) rest.push(section);
  }
  const further = spread(rest, [...places.values()].map(({ place }) => place.url));
  return { numbers, citations: [...used, ...await nearestCitations(context, further)] };
}

/**
 * The best sections for the citations that are left beside some pages; four of one page at most, if there are others.
 * @param {RankedSection[]} sections @param {string[]} pages
 */
function spread(sections, pages) {
  const cited = [...pages];
  const kept = sections.filter(({ shard, section }) => {
    const { url } = shard.sections[section];
    const isFew = cited.filter((page) => page === url).length < rules.citations.of_one_page;
    if (isFew) cited.push(url);
    return isFew;
  });
  return [...kept, ...sections.filter((section) => !kept.includes(section))].slice(0, Math.max(0, rules.citations.most - pages.length));
}

/** Unnumbered citations of some sections. @param {QuestionContext} context @param {RankedSection[]} sections */
export function nearestCitations(context, sections) {
  return Promise.all(sections.map(async (section) => {
    const { place, chunk, text } = await landingOf(context, section);
    return citePlace(place, null, excerptOf(text), chunk);
  }));
}

/** The place that a section is cited by, and the text there. @param {QuestionContext} context @param {RankedSection} section */
async function landingOf({ aboutAssistants }, { shard, section, part, unit, landsOnUnit }) {
  const [{ places, chunk, firstPart }, text, units] = await Promise.all([shard.factsOf(section), shard.text(part), shard.unitsOf(part)]);
  const near = unit === null ? undefined : units[unit];
  const shown = near && (aboutAssistants || !near.injection) ? near : undefined;
  const last = aboutAssistants || !units.at(-1)?.injection ? text.length : units.findLast(({ injection }) => !injection)?.end ?? 0;
  const place = places[landsOnUnit && shown ? shown.place : 0];
  return { place, own: places[0], chunk: chunk + part - firstPart, text: text.slice(shown?.start ?? 0, last) };
}

/** The sections whose best part does not only address an assistant. @param {QuestionContext} context @param {RankedSection[]} sections */
export async function readableSections({ aboutAssistants }, sections) {
  const read = await Promise.all(sections.map(({ shard, part }) => shard.unitsOf(part)));
  return sections.filter((_, at) => aboutAssistants || read[at].length === 0 || !read[at][0].injection);
}

/**
 * @param {Place} place
 * @param {number | null} n  Null if no statement of the answer uses it.
 * @param {string} excerpt
 * @param {number | null} chunk
 */
export function citePlace(place, n, excerpt, chunk) {
  const { url, anchor } = place;
  return {
    ...place.cited, n, used: n !== null,
    stable_id: place.id, title: place.title, heading_path: place.path, section: place.section, page: place.page,
    url: /** @type {string | null} */ (anchor ? `${url}#${encodeURIComponent(anchor).replace(PLAIN_IN_FRAGMENTS, decodeURIComponent)}` : url),
    anchor: anchor || null, chunk_id: chunk, source_type: place.sourceType, excerpt, verified: true,
  };
}

/** The start of a text on one line, without the fences of code, cut after a whole word. @param {string} text */
export function excerptOf(text) {
  const { fence, excerpt } = rules.citations;
  const flat = text.replace(every(fence), '').split(/\s+/u).filter(Boolean).join(' ');
  const signs = [...flat];
  if (signs.length <= excerpt) return flat;
  const cut = signs.slice(0, excerpt).join('');
  const blank = cut.lastIndexOf(' ');
  return `${(blank < 0 ? cut : cut.slice(0, blank)).replace(/[,;:]+$/u, '')}…`;
}

/** A page's path, by which two spellings of its address are the same page. @param {string} url  Absolute or from the root. */
export function pathOf(url) {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/iu, '').split(/[?#]/u, 1)[0];
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // Its percent signs are letters.
  }
  return decoded.replace(/(?:\/index)?\.html$/u, '').replace(/\/$/u, '') || '/';
}
