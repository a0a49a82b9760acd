import { announced, attached, beside, codeBlock, firstPart, itemsAround, range, rowsAround, runAround } from './listings.js';

/**
 * A whole passage around a unit: up to three sentences, with what belongs to them (`answering/corpus/whole.py`).
 *
 * @typedef {import('./types.js').Quotable} Quotable
 */

export const MAX_SENTENCES = 3;
const SHORT_TEXT = 160; // Characters; a paragraph of one such sentence is read with the next.
const ENDS = /[.!。！।۔።။]$/u;
const SIGNATURE = /[\p{L}\p{N}_\]]\([\p{L}\p{N}_]/u; // Whose parameters are the other terms.
const NAME = /`@?([A-Za-z_$][\p{L}\p{N}_$.-]*)/gu; // In inline code.
const NAMED = 0.15;
const ENOUGH_NAMES = 3;
const FITS_BETTER = 0.2;
const CLOSE_BY = 4;
const AROUND = 10;
const LONG_LIST = 8; // Terms; a shorter list is read from its first.
const BEGINS_SMALL = /^\p{Ll}/u;

/**
 * The unit that a section begins with: its first that says something, remarks come after.
 * @param {Quotable[]} units
 * @returns {number | null}
 */
export function openingOf(units) {
  const says = [...units.keys()].filter((at) => !['asks', 'refers', 'fragment'].includes(units[at].stance));
  const told = orAll(says.filter((at) => !isField(units, at)), says);
  const text = orAll(told.filter((at) => !units[at].layout.note), told);
  if (text.length === 0) return null;
  // A table begins with none of its rows more than with another, and a long list of definitions with none of these.
  const alike = units[text[0]].kind === 'row' ? runAround(units, text[0], ['row']) : orAll(definitions(units, text[0]), [text[0]]);
  return alike.reduce((one, other) => (units[other].score > units[one].score ? other : one));
}

/** Whether a unit is a term of a list, and not the signature of what a section is about. @param {Quotable} unit */
export const isEntry = ({ kind, text }) => kind === 'term' && !SIGNATURE.test(text);

/**
 * What a long list of terms says that a section begins with.
 * @param {Quotable[]} units
 * @param {number} at
 */
function definitions(units, at) {
  const first = units[at].stance === 'announces' ? at + 1 : at;
  const isLong = units.filter(({ kind }, one) => one >= first && kind === 'term').length >= LONG_LIST;
  if (!isLong || !isEntry(units[first])) return [];
  return [...units.keys()].filter((one) => one > first && units[one].kind === 'prose' && !units[one].layout.note);
}

/** @param {number[]} some @param {number[]} all */
const orAll = (some, all) => (some.length > 0 ? some : all);

/**
 * Whether a unit is a field above a section's text ("Release: 5.2"), which says nothing of its subject.
 * @param {Quotable[]} units
 * @param {number} at
 */
function isField(units, at) {
  return [at, Math.max(0, at - 1)].some((one) => units[one].kind === 'term' && units[one].text.endsWith(':'));
}

/**
 * A unit and what belongs to it, in order; empty when it cannot be shown whole.
 * @param {Quotable[]} units
 * @param {number} at
 */
export function wholePassage(units, at) {
  const { kind } = units[at];
  if (kind === 'code') return listing(units, codeBlock(units, firstPart(units, at)));
  if (kind === 'item') return withLead(units, itemsAround(units, at));
  if (kind === 'row') return withLead(units, rowsAround(units, at));
  const chosen = ledUp(units, at);
  return chosen.length > 0 ? readOn(units, chosen) : [];
}

/**
 * The code block that shows what a passage tells, and what announces it; empty when one there does.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 * @param {boolean} named  Asks for it to be closer.
 */
export function codeFor(units, chosen, named) {
  const starts = [...units.keys()].filter((at) => units[at].kind === 'code' && !units[at].goesOn);
  const told = chosen.filter((at) => units[at].kind !== 'code').map((at) => units[at].text);
  const names = [...new Set(told.flatMap((text) => [...text.matchAll(NAME)].map(([, name]) => name)))];
  const fitness = (/** @type {number} */ at) => (
    units[at].share + NAMED * Math.min(ENOUGH_NAMES, names.filter((name) => units[at].text.includes(name)).length));
  const shown = Math.max(-1, ...chosen.filter((at) => starts.includes(at)).map(fitness));
  const end = chosen[chosen.length - 1];
  const rounded = (/** @type {number} */ at) => Math.round(fitness(at) * 100);
  const away = (/** @type {number} */ at) => Number(at < end) * units.length + Math.abs(at - end);
  for (const at of [...starts].sort((a, b) => rounded(b) - rounded(a) || away(a) - away(b))) {
    if (chosen.includes(at) || fitness(at) < shown + FITS_BETTER) break;
    const code = codeBlock(units, at);
    const close = named ? end < at && at <= end + CLOSE_BY : Math.abs(at - end) <= AROUND;
    if (!close && !names.some((name) => units[at].text.includes(name))) continue;
    const few = !enough(units, chosen);
    if (code.length > 0 && (few || at > end)) return few && !chosen.includes(at - 1) ? withLead(units, code) : code;
  }
  return [];
}

/**
 * The units of admonitions around a passage that tell of a danger or that something is deprecated.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 */
export function warningsNear(units, chosen) {
  const last = chosen[chosen.length - 1];
  return range(Math.max(0, chosen[0] - AROUND), Math.min(units.length - 1, last + AROUND)).filter((at) => {
    const { kind, stance, layout } = units[at];
    if (chosen.includes(at) || !layout.note || isParted(units, at, chosen)) return false;
    const same = [...units.keys()].filter((one) => units[one].layout.block === layout.block);
    return kind === 'prose' && stance !== 'fragment' && units[same[0]].warns && same.indexOf(at) < MAX_SENTENCES;
  }).slice(0, MAX_SENTENCES);
}

/**
 * Whether another term begins between a passage and a unit, which then is about that.
 * @param {Quotable[]} units
 * @param {number} at
 * @param {number[]} chosen
 */
function isParted(units, at, chosen) {
  const between = at < chosen[0] ? range(at, chosen[0] - 1) : range(chosen[chosen.length - 1] + 1, at);
  return between.some((one) => units[one].kind === 'term');
}

/**
 * Whether a passage has as many sentences as an answer may have; "Default: `5`" above them is none.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 */
export function enough(units, chosen) {
  const told = chosen.map((at) => units[at]).filter(({ kind }) => kind === 'prose');
  return told.filter(({ stance, text }) => stance !== 'fragment' || ENDS.test(text)).length >= MAX_SENTENCES;
}

/** Code with its lead-in, or with the text after it where it has none. @param {Quotable[]} units @param {number[]} code */
function listing(units, code) {
  const led = withLead(units, code);
  return led !== code || code.length === 0 ? led : readOn(units, code);
}

/**
 * A passage read on to three sentences, with what they announce and what comes right after them.
 * @param {Quotable[]} units
 * @param {number[]} begun
 */
function readOn(units, begun) {
  const chosen = [...begun];
  let last = chosen[chosen.length - 1];
  while (units[last].stance !== 'announces' && !enough(units, chosen) && readsOn(units, chosen, last + 1)) {
    last += 1;
    chosen.push(last);
  }
  if (units[last].stance === 'announces') {
    const told = announced(units, last + 1);
    return told.length > 0 ? [...chosen, ...told] : withoutEnd(units, chosen);
  }
  return units[last].kind === 'code' ? chosen : [...chosen, ...attached(units, last)];
}

/**
 * A unit with what it leans back on: sentences before it, or the term it defines; empty when it leans on more than that.
 * @param {Quotable[]} units
 * @param {number} at
 */
function ledUp(units, at) {
  let first = at;
  while (first > 0 && units[first].leans && at - first < MAX_SENTENCES - 1) {
    if (units[first - 1].kind !== 'prose' || !beside(units, first - 1, first)) break;
    first -= 1;
  }
  const isOneBlock = (/** @type {number} */ one) => units[one - 1].layout.block === units[one].layout.block;
  if (first > 0 && units[first - 1].stance === 'fragment' && isOneBlock(first)) first -= 1; // The "Yes." that it explains.
  const chosen = range(first, at);
  if (first > 0 && units[first - 1].kind === 'term') return [first - 1, ...chosen];
  const goesOn = first > 0 && units[first - 1].kind !== 'prose' && BEGINS_SMALL.test(units[first].text);
  return (units[first].leans || goesOn) && first > 0 && beside(units, first - 1, first) ? [] : chosen;
}

/**
 * Whether a sentence carries a passage on: the next of the paragraph, or of the next when this one is brief.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 * @param {number} at
 */
function readsOn(units, chosen, at) {
  if (at >= units.length || units[at].kind !== 'prose' || !beside(units, at - 1, at)) return false;
  const [unit, before] = [units[at], units[at - 1]];
  if (unit.stance === 'asks' || unit.stance === 'refers') return false;
  if (unit.layout.block === before.layout.block || before.kind === 'term' || before.kind === 'code') return true;
  const brief = chosen.reduce((total, one) => total + units[one].text.length, 0) < SHORT_TEXT;
  return (brief || unit.stance === 'announces') && unit.layout.labels.length === 0;
}

/** A passage without the sentence that announces what cannot be shown. @param {Quotable[]} units @param {number[]} chosen */
function withoutEnd(units, chosen) {
  const kept = chosen.slice(0, -1);
  return kept.some((at) => units[at].kind === 'prose' || units[at].kind === 'code') ? kept : [];
}

/**
 * A list, table or code with the sentence before it, and what that leans on; what was given where there is none.
 * @param {Quotable[]} units
 * @param {number[]} chosen
 */
function withLead(units, chosen) {
  if (chosen.length === 0 || chosen[0] === 0) return chosen;
  let [first] = chosen;
  if (units[first].kind === 'item') [first] = runAround(units, first, ['item', 'code']);
  else if (units[first].kind === 'row') [first] = runAround(units, first, ['row']);
  const before = first - 1;
  if (before < 0 || !['prose', 'term'].includes(units[before].kind) || !beside(units, before, first)) return chosen;
  if (units[before].stance !== 'announces' && units[first].kind === 'row') return chosen;
  return [...backed(units, before), ...chosen];
}

/** A lead-in with the sentence that it leans on. @param {Quotable[]} units @param {number} at */
function backed(units, at) {
  const leans = units[at].leans || BEGINS_SMALL.test(units[at].text);
  return leans && at > 0 && units[at - 1].kind === 'prose' && beside(units, at - 1, at) ? [at - 1, at] : [at];
}
