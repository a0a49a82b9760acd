/**
 * What belongs together in a section: a list, table, listing or definition, and which of it is shown (`answering/corpus/listings.py`).
 *
 * @typedef {import('./types.js').Quotable} Quotable
 */

const LONGEST_CODE = 50; // Lines; a longer listing is a page, not an answer.
const SHORT_CODE = 25;
const WHOLE_LIST = 900; // Characters of a list or table that is shown whole.
const WHOLE_ITEMS = 8;
const WHOLE_ROWS = 6;
const STEPS = 12; // Items of a list that is announced or asked for as a whole.
const LONGEST_LIST = 1600;
const NEAR_BEST = 0.06;
const MAX_PICKED = 3;

/** What the list, table or definitions that begin with a unit of a kind are made of. @type {Partial<Record<Quotable['kind'], string[]>>} */
const ANNOUNCED = { item: ['item', 'code'], row: ['row'], term: ['term', 'prose'] };

/** Whether nothing was left out between a unit and the one before it. @param {Quotable} unit @param {Quotable} before */
export const follows = (unit, before) => unit.ordinal - before.ordinal <= 1;

/**
 * Whether a unit follows another, both in the same admonition or both in none.
 * @param {Quotable[]} units
 * @param {number} one
 * @param {number} other
 */
export const beside = (units, one, other) => follows(units[other], units[one]) && units[one].layout.note === units[other].layout.note;

/**
 * What a sentence that ends with a colon announces; empty when it is not there or cannot be shown.
 * @param {Quotable[]} units
 * @param {number} at
 * @returns {number[]}
 */
export function announced(units, at) {
  if (at >= units.length || !follows(units[at], units[at - 1])) return [];
  const { kind, stance } = units[at];
  if (kind === 'code') return codeBlock(units, at);
  if (ANNOUNCED[kind]) return cutList(units, runAround(units, at, ANNOUNCED[kind]).filter((one) => one >= at));
  if (stance === 'announces') {
    const further = announced(units, at + 1);
    return further.length > 0 ? [at, ...further] : [];
  }
  return [at, ...attached(units, at)];
}

/**
 * Short code, or a short list or table, that comes right after a passage.
 * @param {Quotable[]} units
 * @param {number} last
 */
export function attached(units, last) {
  const at = last + 1;
  if (at >= units.length || !beside(units, last, at) || (units[at].layout.labels.length > 0 && units[at].kind !== 'code')) return [];
  const { kind } = units[at];
  if (kind === 'code') return codeBlock(units, at, SHORT_CODE);
  if (kind !== 'item' && kind !== 'row') return [];
  const run = runAround(units, at, [kind]);
  return isShort(units, run) ? run : [];
}

/**
 * The list around an item where it is short, else its beginning, or the item with those nearly as good.
 * @param {Quotable[]} units
 * @param {number} at
 */
export function itemsAround(units, at) {
  const run = runAround(units, at, ['item', 'code']);
  if (isShort(units, run)) return run;
  if (at === run[0]) return cutList(units, run, WHOLE_LIST);
  const steps = cutList(units, run);
  if (steps.includes(at) && /^\s*\p{N}/u.test(units[run[0]].layout.mark)) return steps;
  const found = picked(units, run, at);
  return found.length > 0 ? found : run.slice(0, 1);
}

/**
 * The table around a row where it is short, else the row with those nearly as good.
 * @param {Quotable[]} units
 * @param {number} at
 */
export function rowsAround(units, at) {
  const run = runAround(units, at, ['row']);
  return run.length <= WHOLE_ROWS && isShort(units, run) ? run : picked(units, run, at);
}

/**
 * A code block with all of its parts; empty when it is longer, or a part of it was left out.
 * @param {Quotable[]} units
 * @param {number} at
 * @param {number} [longest]
 */
export function codeBlock(units, at, longest = LONGEST_CODE) {
  if (units[at].goesOn) return [];
  let last = at;
  while (units[last + 1]?.goesOn && follows(units[last + 1], units[last])) last += 1;
  const parts = range(at, last);
  const lines = parts.reduce((total, one) => total + units[one].text.split('\n').length - 2, 0);
  return lines <= longest ? parts : [];
}

/** Where a code block begins that was split over several parts. @param {Quotable[]} units @param {number} at */
export function firstPart(units, at) {
  let first = at;
  while (first > 0 && units[first].goesOn) first -= 1;
  return first;
}

/**
 * The units of some kinds around one, nothing left out between them; code ends no run and begins none.
 * @param {Quotable[]} units
 * @param {number} at
 * @param {string[]} kinds
 */
export function runAround(units, at, kinds) {
  let first = at;
  let last = at;
  while (first > 0 && kinds.includes(units[first - 1].kind) && beside(units, first - 1, first)) first -= 1;
  while (last + 1 < units.length && kinds.includes(units[last + 1].kind) && beside(units, last, last + 1)) last += 1;
  if (units[at].kind !== 'code') while (units[first].kind === 'code') first += 1;
  return range(first, last);
}

/**
 * The best item or row of a long list with what is nearly as good, each with what stands under it.
 * @param {Quotable[]} units
 * @param {number[]} run
 * @param {number} at
 */
function picked(units, run, at) {
  const best = units[at].score - NEAR_BEST;
  const near = run.filter((one) => units[one].score >= best).sort((a, b) => units[b].score - units[a].score);
  const blocks = new Set([at, ...near.slice(0, MAX_PICKED)].map((one) => units[one].layout.block));
  for (const one of above(units, run, new Set(blocks))) blocks.add(units[one].layout.block);
  /** @type {number[]} */
  const kept = [];
  /** @type {number | null} */
  let under = null;
  for (const one of run) {
    const { block, mark } = units[one].layout;
    const deeper = under !== null && (!mark || indentOf(mark) > under);
    if (blocks.has(block) && !deeper) under = indentOf(mark);
    else if (!deeper) under = null;
    if (under !== null) kept.push(one);
  }
  return lengthOf(units, kept) <= LONGEST_LIST ? kept : kept.filter((one) => blocks.has(units[one].layout.block));
}

/**
 * The items that some blocks of a list stand under.
 * @param {Quotable[]} units
 * @param {number[]} run
 * @param {Set<number>} blocks
 */
function above(units, run, blocks) {
  let least = Infinity;
  return [...run].reverse().filter((one) => {
    const { block, mark } = units[one].layout;
    const isOwn = blocks.has(block);
    const isAbove = !isOwn && !!mark && least < Infinity && indentOf(mark) < least;
    if (isOwn || isAbove) least = Math.min(least, indentOf(mark));
    return isAbove;
  });
}

/**
 * A list from its beginning, as far as it is not too long; a code block in it is whole.
 * @param {Quotable[]} units
 * @param {number[]} run
 * @param {number} [longest]
 */
function cutList(units, run, longest = LONGEST_LIST) {
  /** @type {number[]} */
  const kept = [];
  let length = 0;
  for (const [number, block] of blocksOf(units, run).entries()) {
    length += lengthOf(units, block);
    if (number >= STEPS || (kept.length > 0 && length > longest)) break;
    kept.push(...block);
  }
  while (kept.length > 0 && units[kept[kept.length - 1]].stance === 'announces') kept.pop(); // What it announces was cut off.
  return kept;
}

/**
 * Runs of units of one block, code with all of its parts.
 * @param {Quotable[]} units
 * @param {number[]} run
 */
function blocksOf(units, run) {
  /** @type {number[][]} */
  const blocks = [];
  for (const at of run) {
    const before = blocks.at(-1)?.at(-1);
    const apart = before === undefined || (units[at].layout.block !== units[before].layout.block && !units[at].goesOn);
    if (apart) blocks.push([at]);
    else blocks.at(-1)?.push(at);
  }
  return blocks;
}

/** @param {Quotable[]} units @param {number[]} run */
function isShort(units, run) {
  return new Set(run.map((at) => units[at].layout.block)).size <= WHOLE_ITEMS && lengthOf(units, run) <= WHOLE_LIST;
}

/** @param {Quotable[]} units @param {number[]} run */
const lengthOf = (units, run) => run.reduce((total, at) => total + units[at].text.length, 0);

/** @param {string} mark */
export const indentOf = (mark) => mark.length - mark.trimStart().length;

/** @param {number} first @param {number} last */
export const range = (first, last) => Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
