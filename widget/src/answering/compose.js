import { followReference } from './linked-sections.js';
import { createSelection, pointsElsewhere } from './passage-selection.js';
import { foundIn } from './phrases.js';
import { createQuotables } from './quotable.js';
import { sectionFacts } from './units.js';

/**
 * An extractive answer: passages of the docs, verbatim and whole, the best section's, then others' (`answering/corpus/compose.py`).
 *
 * @typedef {import('./types.js').Asking} Asking
 * @typedef {import('./types.js').Passage} Passage
 * @typedef {import('./types.js').RankedSection} RankedSection
 * @typedef {import('./types.js').Statement} Statement
 */

const MAX_PASSAGES = 5;
const ANSWER = { words: 300, lines: 60, nearer: -0.3 };
const NEXT = { words: 200, lines: 40, nearer: -0.1 };
const OTHERS = { words: 100, lines: 30, nearer: 0 };
const BUDGETS = [ANSWER, NEXT, NEXT, OTHERS];
const MAX_PLACES = 5;
const SURE = 3; // Passages that always have a place; the others, while there is one left.
const SECTIONS = 8;
const OF_A_PAGE = 4;
const SECTION_FLOOR = 0.5;
const FEWEST_WORDS = 4;
const EDGE = /^[^\p{L}\p{N}_]+/u;
const ASKED = /[?？؟]\s*$/u;

/**
 * At most five passages, the answer first; none when nothing fits.
 * @param {Asking} asking
 * @returns {Promise<Passage[]>}
 */
export async function composePassages(asking) {
  const { library, embedded, query, phrases } = asking;
  const shows = foundIn(phrases.how, query);
  const task = !foundIn(phrases.fact, query.replace(EDGE, '')) && !ASKED.test(query);
  const quotables = createQuotables(asking);
  const quoted = createSelection(library.facts.rules.passages);

  /**
   * A section's passage; where that only points elsewhere, that of the section it points to.
   * @param {RankedSection} section
   * @param {number} number
   * @param {boolean} [follow]
   * @returns {Promise<Passage | null>}
   */
  async function passageOf(section, number, follow = true) {
    const units = await quotables(section);
    const chosen = quoted(units, BUDGETS[Math.min(number, BUDGETS.length - 1)], shows, task);
    if (pointsElsewhere(units, chosen)) {
      const further = follow ? await followReference(library, embedded, section, units) : null;
      return further && passageOf(further, number, false);
    }
    const facts = await sectionFacts(library, section.shard, section.section);
    return { section, facts, statements: byTerm(chosen.map((at) => units[at])) };
  }

  /**
   * Passages with what one sends the reader to right after it, if that is nearer to the question; at most one is added.
   * @param {Passage[]} passages
   */
  async function withReferences(passages) {
    const best = passages.length > 0 ? Math.max(...passages.map(({ section }) => section.cosine)) : 1;
    for (const [at, { section }] of passages.entries()) {
      const further = await followReference(library, embedded, section, await quotables(section));
      if (!further || further.cosine <= (passages.length < MAX_PASSAGES ? section.cosine : best)) continue;
      const added = await passageOf(further, at + 1, false);
      if (added && !isThin(added) && !isSaid(added, passages)) {
        return [...passages.slice(0, at + 1), added, ...passages.slice(at + 1)].slice(0, MAX_PASSAGES);
      }
    }
    return passages;
  }

  /** @type {Passage[]} */
  const passages = [];
  /** @type {Passage[]} */
  const thin = [];
  for (const section of await worthQuoting(asking)) {
    const passage = await passageOf(section, passages.length);
    if (passage && !isSaid(passage, passages)) (isThin(passage) ? thin : passages).push(passage);
    if (passages.length === MAX_PASSAGES) break;
  }
  const chosen = await withReferences(passages);
  return fewPlaces((chosen.length > 0 ? chosen : thin.slice(0, 1)).map(ofItsSection));
}

/**
 * The sections near enough to the best one, at most four of a page, lists of where to read on last.
 * @param {Asking} asking
 */
async function worthQuoting({ library, result: { sections } }) {
  /** @type {Map<string, number>} */
  const ofPage = new Map();
  const near = sections.filter(({ shard, section, score }) => {
    const { url } = shard.sections[section];
    ofPage.set(url, (ofPage.get(url) ?? 0) + 1);
    return score >= sections[0].score * SECTION_FLOOR && /** @type {number} */ (ofPage.get(url)) <= OF_A_PAGE;
  }).slice(0, SECTIONS);
  const read = await Promise.all(near.map(({ shard, section }) => sectionFacts(library, shard, section)));
  return [...near.filter((_, at) => !read[at].reading), ...near.filter((_, at) => read[at].reading)];
}

/** Whether others say most of a passage word for word, as versions and summaries do. @param {Passage} passage @param {Passage[]} others */
function isSaid({ statements }, others) {
  const said = new Set(others.flatMap((other) => other.statements.map(({ text }) => text)));
  const fresh = statements.filter(({ text }) => !said.has(text)).length;
  return fresh * 2 < statements.length || fresh === 0;
}

/** Whether a passage is no more than a few words, such as a version, or the goals that a page sets itself. @param {Passage} passage */
function isThin({ statements }) {
  const words = statements.reduce((total, { text }) => total + (text.match(/\S+/gu)?.length ?? 0), 0);
  return words < FEWEST_WORDS || statements.every(({ layout, kind }) => layout.note && kind === 'item');
}

/**
 * A passage whose paragraphs cite the section, whatever anchors are in them, where others of it do; its nearest words cite the anchor
 * that they stand at.
 * @param {Passage} passage
 * @returns {Passage}
 */
function ofItsSection(passage) {
  const { facts, statements } = passage;
  const whole = statements.some(({ place }) => place.id === facts.places[0].id);
  const nearest = statements.reduce((one, other) => (other.score > one.score ? other : one)).place;
  const stays = (/** @type {Statement} */ { place }) => !place.other || !whole || place.id === nearest.id;
  return { ...passage, statements: statements.map((one) => (stays(one) ? one : ofSection(one))) };
}

/** Passages that cite five places together at most; from the fourth on, those that there is a place for. @param {Passage[]} passages */
function fewPlaces(passages) {
  /** @type {Set<string>} */
  const cited = new Set();
  /** @type {Passage[]} */
  const kept = [];
  for (const [number, passage] of passages.entries()) {
    const left = MAX_PLACES - cited.size - Math.max(0, Math.min(passages.length, SURE) - number - 1);
    if (left <= 0) continue;
    const placed = ofPlaces(passage, cited, left);
    placed.statements.forEach(({ place }) => cited.add(place.id));
    kept.push(placed);
  }
  return kept;
}

/**
 * A passage that cites at most so many places that are not cited yet: its nearest, and else its section.
 * @param {Passage} passage
 * @param {Set<string>} cited
 * @param {number} left
 * @returns {Passage}
 */
function ofPlaces(passage, cited, left) {
  const near = [...passage.statements].sort((a, b) => b.score - a.score);
  const places = [...new Set(near.map(({ place }) => place.id))].filter((id) => !cited.has(id));
  if (places.length <= left) return passage;
  const section = near[0].facts.places[0].id;
  const others = places.filter((id) => id !== section).slice(0, left - Number(!cited.has(section)));
  const kept = new Set([...cited, section, ...others]);
  return { ...passage, statements: passage.statements.map((one) => (kept.has(one.place.id) ? one : ofSection(one))) };
}

/**
 * Statements so that all that is said of a term, and its other names, cite the anchor of its last name.
 * @param {Statement[]} statements
 */
function byTerm(statements) {
  /** @type {Statement | undefined} */
  let term;
  return statements.map((one, at) => {
    if (one.kind === 'term') {
      const end = statements.findIndex(({ kind }, other) => other > at && kind !== 'term');
      term = statements[(end < 0 ? statements.length : end) - 1];
    }
    return term && term.place.id !== term.facts.places[0].id && one.kind !== 'row' ? { ...one, place: term.place } : one;
  });
}

/** @param {Statement} statement @returns {Statement} */
const ofSection = (statement) => ({ ...statement, place: statement.facts.places[0] });
