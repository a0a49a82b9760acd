import { range, runAround } from './listings.js';
import { codeFor, enough, isEntry, openingOf, warningsNear, wholePassage } from './whole.js';

/**
 * How much of a section is quoted: all of a short one; of a longer one its opening, and what is nearest beside it
 * (`answering/corpus/extent.py`).
 *
 * @typedef {import('./types.js').Quotable} Quotable
 *
 * @typedef {object} Room  What may stand on the screen: a section of no more is quoted as a whole.
 * @property {number} words
 * @property {number} lines  Of code.
 * @property {number} nearer  By so much must what stands elsewhere be nearer to the question to come with the opening.
 */

const THE_ROW = 0.2;
const FEW_ROWS = 6;
const NEAR = 8;
const BEATS_OPENING = 0.12;
const BRIEF = { words: 100, lines: 0, nearer: 0 }; // A definition: more may be what comes after the list.
const SAY_NOTHING = ['asks', 'refers', 'fragment'];

/**
 * The units of a section that are quoted, in order; empty when it says nothing.
 * @param {Quotable[]} units
 * @param {Room} room
 * @param {boolean} shows  The question wants to be shown, so that a passage without code gets some.
 * @param {boolean} task  It only names what is to be done, and code about just that shows how.
 */
export function quoted(units, room, shows, task) {
  const found = bestOf(units);
  let chosen = withoutOtherRows(units, found);
  if (chosen.length === 0 || pointsElsewhere(units, chosen)) return chosen;
  if (chosen.length === found.length && fits(units, room)) return withoutEnds(units, withoutLinks(units, chosen));
  chosen = definition(units, chosen, room);
  if (shows || task) chosen = sorted([...chosen, ...codeFor(units, chosen, !shows)]);
  const opening = openingOf(units);
  if (isEntry(units[chosen[0]])) chosen = withOtherTerm(units, chosen, room);
  else if (opening !== null && chosen.includes(opening)) {
    chosen = sorted([...chosen, ...definition(units, further(units, chosen, room.nearer), room)]);
  }
  return sorted([...chosen, ...warningsNear(units, chosen)]);
}

/**
 * Whether a passage only says where to read, or is a list of links for the most part.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 */
export function pointsElsewhere(units, chosen) {
  const refers = chosen.filter((at) => units[at].stance === 'refers').length;
  const told = chosen.some((at) => units[at].stance !== 'refers' && units[at].kind !== 'item');
  return refers * 2 >= chosen.length && !told;
}

/** @param {Quotable[]} units @param {Room} room */
function fits(units, room) {
  let [words, lines, rows] = [0, 0, 0];
  for (const { kind, text } of units) {
    if (kind === 'code') lines += text.split('\n').length - 2;
    else words += text.match(/\S+/gu)?.length ?? 0;
    rows += Number(kind === 'row');
  }
  return words <= room.words && lines <= room.lines && rows <= FEW_ROWS;
}

/** All units but those that only ask or point elsewhere, and lists of which most do. @param {Quotable[]} units @param {number[]} best */
function withoutLinks(units, best) {
  return [...units.keys()].filter((at) => {
    const run = units[at].kind === 'item' ? runAround(units, at, ['item']) : [at];
    const idle = run.filter((one) => units[one].stance === 'asks' || units[one].stance === 'refers').length;
    return best.includes(at) || idle * 2 < run.length;
  });
}

/**
 * A whole section without lead-ins to what is not quoted of it, such as a list of links.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 */
function withoutEnds(units, chosen) {
  /** @type {number[]} */
  const kept = [];
  for (const at of [...chosen].reverse()) {
    if (units[at].stance !== 'announces' || kept.at(-1) === at + 1) kept.push(at);
  }
  return kept.reverse();
}

/** The section's opening, or what is clearly nearer to the question; as it is shown whole. @param {Quotable[]} units */
function bestOf(units) {
  const at = openingOf(units);
  const opening = at === null ? [] : wholePassage(units, at);
  const told = nearest(units, opening, -1);
  const others = byScore(units, [...units.keys()].filter((one) => units[one].kind !== 'code' && !opening.includes(one)));
  for (const one of others) {
    if (opening.length > 0 && units[one].score < told + BEATS_OPENING) break;
    if (SAY_NOTHING.includes(units[one].stance)) continue;
    const passage = wholePassage(units, one);
    if (passage.length > 0) return readFrom(units, opening, passage);
  }
  return opening.length > 0 ? opening : [...units.keys()].filter((one) => units[one].stance === 'refers').slice(0, 1);
}

/**
 * A passage that is about one of a list's terms with the term and all that is said of it, where that fits. Of its notes
 * those stay that were chosen: most say since which version it is so.
 * @param {Quotable[]} units
 * @param {number[]} best
 * @param {Room} room
 */
function definition(units, best, room) {
  const isTerm = (/** @type {number} */ at) => units[at]?.kind === 'term';
  const last = best[best.length - 1];
  const end = units.findIndex((_, at) => at > last && isTerm(at));
  let first = best[0];
  while (first >= 0 && !isTerm(first)) first -= 1;
  const begins = first === best[0];
  if (!(first >= 0 && (begins || end > 0) && isEntry(units[first]))) return best;
  while (isTerm(first - 1)) first -= 1; // Other names of it, or the lines of a long one.
  const whole = range(first, end < 0 ? last : end - 1).filter((at) => best.includes(at) || !units[at].layout.note);
  return fits(whole.map((at) => units[at]), begins ? room : BRIEF) ? withoutEnds(units, whole) : best;
}

/**
 * A term's definition with the next nearest of the list, where there is room for both.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 * @param {Room} room
 */
function withOtherTerm(units, chosen, room) {
  const other = further(units, chosen, room.nearer);
  if (other.length === 0 || !isEntry(units[other[0]])) return chosen;
  const both = sorted([...chosen, ...definition(units, other, room)]);
  return fits(both.map((at) => units[at]), room) ? both : chosen;
}

/**
 * The nearest of a section's other words, whole: what its opening leaves out may be what was asked.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 * @param {number} nearer
 */
function further(units, chosen, nearer) {
  const told = nearest(units, chosen, chosen.some((at) => units[at].kind !== 'code') ? -Infinity : 0);
  const kinds = chosen.some((at) => units[at].kind === 'row') ? ['code', 'row'] : ['code']; // Its rows are chosen.
  const others = byScore(units, [...units.keys()].filter((at) => !chosen.includes(at) && !kinds.includes(units[at].kind)));
  for (const at of others) {
    if (units[at].score < told + nearer) break;
    const found = wholePassage(units, at).filter((one) => !chosen.includes(one));
    if (!SAY_NOTHING.includes(units[at].stance) && found.includes(at) && units[found[found.length - 1]].stance !== 'announces') return found;
  }
  return [];
}

/**
 * A passage with one row of its table alone, when that is much nearer to the question than all others.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 */
function withoutOtherRows(units, chosen) {
  const rows = byScore(units, chosen.filter((at) => units[at].kind === 'row'));
  if (rows.length < 2 || units[rows[0]].score < units[rows[1]].score + THE_ROW) return chosen;
  return chosen.filter((at) => !rows.slice(1).includes(at));
}

/**
 * A passage, from the section's opening on where that is only a sentence or two away.
 * @param {Quotable[]} units
 * @param {number[]} opening
 * @param {number[]} passage
 */
function readFrom(units, opening, passage) {
  if (opening.length === 0 || opening[0] > passage[0]) return passage;
  const whole = range(opening[0], passage[passage.length - 1]);
  const fitting = units[opening[0]].kind === 'code' ? ['prose', 'term', 'code'] : ['prose', 'term'];
  const fit = whole.every((at) => passage.includes(at) || fitting.includes(units[at].kind));
  return !enough(units, whole.slice(0, -1)) && fit && whole.length <= NEAR ? whole : passage;
}

/** @param {Quotable[]} units @param {number[]} chosen @param {number} least */
const nearest = (units, chosen, least) => Math.max(least, ...chosen.filter((at) => units[at].kind !== 'code').map((at) => units[at].score));

/** @param {Quotable[]} units @param {number[]} places */
const byScore = (units, places) => places.sort((a, b) => units[b].score - units[a].score);

/** @param {number[]} places */
const sorted = (places) => [...new Set(places)].sort((a, b) => a - b);
