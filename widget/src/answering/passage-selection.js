/**
 * How much of a section is quoted: a short section whole; of a longer one the opening and the nearest part
 * (`answering/corpus/passage_selection.py`). The passage of each unit is in the files.
 *
 * @typedef {import('./types.js').ScoredUnit} ScoredUnit
 *
 * @typedef {object} QuoteBudget  A section within these limits is quoted as a whole.
 * @property {number} words
 * @property {number} lines  Of code.
 * @property {number} nearer  A further passage of a longer section must score higher than the opening by this margin.
 */

const MAX_SENTENCES = 3;
const THE_ROW = 0.2;
const FEW_ROWS = 6;
const NEAR = 8;
const BEATS_OPENING = 0.12;
const SAY_NOTHING = ['asks', 'refers', 'fragment'];
const NEAR_BEST = 0.06;
const MAX_PICKED = 3;
const LONGEST_LIST = 1600;
const NAMED = 0.15;
const ENOUGH_NAMES = 3;
const FITS_BETTER = 0.2;
const CLOSE_BY = 4;
const AROUND = 10;
const BRIEF = { words: 100, lines: 0, nearer: 0 };
const ENDS = /[.!。！।۔።။]$/u;
const NAME = /`@?([A-Za-z_$][\p{L}\p{N}_$.-]*)/gu;

/**
 * The positions of the units to quote from a section, in order; empty when it says nothing.
 * @param {ScoredUnit[]} units
 * @param {QuoteBudget} budget
 * @param {boolean} shows  The question asks how, so that a passage without code gets a code block.
 * @param {boolean} task  The question only names a task, which a code block with its words may answer.
 */
export function quoted(units, budget, shows, task) {
  const [opening] = byScore(units, positions(units, (unit) => unit.opening));
  const found = best(units, opening === undefined ? [] : passageOf(units, opening));
  let chosen = withoutOtherRows(units, found);
  if (chosen.length === 0 || pointsElsewhere(units, chosen)) return chosen;
  if (chosen.length === found.length && fits(units, budget)) {
    return withoutEnds(units, positions(units, (unit, at) => chosen.includes(at) || !unit.navigation));
  }
  chosen = definition(units, chosen, budget);
  if (shows || task) chosen = sorted([...chosen, ...codeFor(units, chosen, !shows)]);
  if (units[chosen[0]].entry) chosen = withOtherTerm(units, chosen, budget);
  else if (chosen.includes(opening)) {
    chosen = sorted([...chosen, ...definition(units, further(units, chosen, budget.nearer), budget)]);
  }
  return sorted([...chosen, ...warningsNear(units, chosen)]);
}

/** Whether a passage only refers to other pages, or is mostly a list of links. @param {ScoredUnit[]} units @param {number[]} chosen */
export function pointsElsewhere(units, chosen) {
  const refers = chosen.filter((at) => units[at].stance === 'refers').length;
  const told = chosen.some((at) => units[at].stance !== 'refers' && units[at].kind !== 'item');
  return refers * 2 >= chosen.length && !told;
}

/**
 * The positions of a unit's passage; of a long list or table only the best items or rows.
 * @param {ScoredUnit[]} units
 * @param {number} at
 */
function passageOf(units, at) {
  const { number: own, passage, picks } = units[at];
  /** @type {number[][]} */
  const ranges = [];
  for (let one = 0; one + 1 < passage.length; one += 2) {
    ranges.push(positions(units, ({ number }) => number >= own + passage[one] && number <= own + passage[one + 1]));
  }
  if (picks) return [...ranges.slice(0, -1).flat(), ...picked(units, ranges[ranges.length - 1] ?? [], at)];
  const chosen = ranges.flat();
  // Of a long section, the passage may end outside of the parts that were read; then it ends before a lead-in.
  const isCut = chosen.length > 0 && units[chosen[chosen.length - 1]].number < own + passage[passage.length - 1];
  while (isCut && chosen.length > 0 && units[chosen[chosen.length - 1]].stance === 'announces') chosen.pop();
  return chosen;
}

/**
 * The best item or row of a list with those nearly as good, each with its nested items.
 * @param {ScoredUnit[]} units
 * @param {number[]} run
 * @param {number} at
 */
function picked(units, run, at) {
  const near = byScore(units, run.filter((one) => units[one].score >= units[at].score - NEAR_BEST));
  const blocks = new Set([at, ...near.slice(0, MAX_PICKED)].map((one) => units[one].layout.block));
  let least = Infinity;
  for (const { layout: { block, mark } } of run.map((one) => units[one]).reverse()) { // The items above them as well.
    if (!blocks.has(block) && !(mark && indentOf(mark) < least)) continue;
    if (least < Infinity || blocks.has(block)) {
      blocks.add(block);
      least = Math.min(least, indentOf(mark));
    }
  }
  /** @type {number | null} */
  let indent = null;
  const kept = run.filter((one) => {
    const { block, mark } = units[one].layout;
    const deeper = indent !== null && (!mark || indentOf(mark) > indent);
    if (!deeper) indent = blocks.has(block) ? indentOf(mark) : null;
    return indent !== null;
  });
  const length = kept.reduce((total, one) => total + [...units[one].text].length, 0);
  return length <= LONGEST_LIST ? kept : kept.filter((one) => blocks.has(units[one].layout.block));
}

/** The opening, or a passage that is clearly nearer to the question. @param {ScoredUnit[]} units @param {number[]} opening */
function best(units, opening) {
  const told = highest(units, opening, -1);
  for (const one of byScore(units, positions(units, ({ kind }, at) => kind !== 'code' && !opening.includes(at)))) {
    if (opening.length > 0 && units[one].score < told + BEATS_OPENING) break;
    const passage = SAY_NOTHING.includes(units[one].stance) ? [] : passageOf(units, one);
    if (passage.length > 0) return readFrom(units, opening, passage);
  }
  return opening.length > 0 ? opening : positions(units, ({ stance }) => stance === 'refers').slice(0, 1);
}

/**
 * A passage, from the opening on if that is only a sentence or two before it.
 * @param {ScoredUnit[]} units
 * @param {number[]} opening
 * @param {number[]} passage
 */
function readFrom(units, opening, passage) {
  if (opening.length === 0 || opening[0] > passage[0]) return passage;
  const whole = range(opening[0], passage[passage.length - 1]);
  const fitting = units[opening[0]].kind === 'code' ? ['prose', 'term', 'code'] : ['prose', 'term'];
  const fit = whole.every((at) => passage.includes(at) || fitting.includes(units[at].kind));
  return !isEnough(units, whole.slice(0, -1)) && fit && whole.length <= NEAR ? whole : passage;
}

/**
 * A passage with only one row of its table, if that row scores much higher than all others.
 * @param {ScoredUnit[]} units
 * @param {number[]} chosen
 */
function withoutOtherRows(units, chosen) {
  const rows = byScore(units, chosen.filter((at) => units[at].kind === 'row'));
  if (rows.length < 2 || units[rows[0]].score < units[rows[1]].score + THE_ROW) return chosen;
  return chosen.filter((at) => !rows.slice(1).includes(at));
}

/** @param {ScoredUnit[]} units @param {QuoteBudget} budget */
function fits(units, budget) {
  let [words, lines, rows] = [0, 0, 0];
  for (const { kind, text } of units) {
    if (kind === 'code') lines += text.split('\n').length - 2;
    else words += text.match(/\S+/gu)?.length ?? 0;
    rows += Number(kind === 'row');
  }
  return words <= budget.words && lines <= budget.lines && rows <= FEW_ROWS;
}

/**
 * Whether a passage has as many sentences as an answer may have; a fragment ("Default: `5`") is none.
 * @param {ScoredUnit[]} units
 * @param {number[]} chosen
 */
function isEnough(units, chosen) {
  const told = chosen.map((at) => units[at]).filter(({ kind, stance, text }) => kind === 'prose' && (stance !== 'fragment' || ENDS.test(text)));
  return told.length >= MAX_SENTENCES;
}

/** The units without lead-ins to content that is not quoted. @param {ScoredUnit[]} units @param {number[]} chosen */
function withoutEnds(units, chosen) {
  /** @type {number[]} */
  const kept = [];
  for (const at of [...chosen].reverse()) {
    if (units[at].stance !== 'announces' || kept[0] === at + 1) kept.unshift(at);
  }
  return kept;
}

/**
 * A passage about one term of a definition list with the term and its whole definition, if that fits; of its notes only those
 * that were chosen.
 * @param {ScoredUnit[]} units
 * @param {number[]} chosen
 * @param {QuoteBudget} budget
 */
function definition(units, chosen, budget) {
  const isTerm = (/** @type {number} */ at) => units[at]?.kind === 'term';
  const last = chosen[chosen.length - 1];
  const end = units.findIndex((_, at) => at > last && isTerm(at));
  let [first] = chosen;
  while (first >= 0 && !isTerm(first)) first -= 1;
  const begins = first === chosen[0];
  if (!(first >= 0 && (begins || end > 0) && units[first].entry)) return chosen;
  while (isTerm(first - 1)) first -= 1; // Other names of the term, or the lines of a long one.
  const whole = range(first, end < 0 ? last : end - 1).filter((at) => chosen.includes(at) || !units[at].layout.note);
  return fits(whole.map((at) => units[at]), begins ? budget : BRIEF) ? withoutEnds(units, whole) : chosen;
}

/**
 * A term's definition with the next nearest one of the list, if both fit.
 * @param {ScoredUnit[]} units
 * @param {number[]} chosen
 * @param {QuoteBudget} budget
 */
function withOtherTerm(units, chosen, budget) {
  const other = further(units, chosen, budget.nearer);
  if (other.length === 0 || !units[other[0]].entry) return chosen;
  const both = sorted([...chosen, ...definition(units, other, budget)]);
  return fits(both.map((at) => units[at]), budget) ? both : chosen;
}

/** The nearest other passage of a section. @param {ScoredUnit[]} units @param {number[]} chosen @param {number} nearer */
function further(units, chosen, nearer) {
  const told = highest(units, chosen, chosen.some((at) => units[at].kind !== 'code') ? -Infinity : 0);
  const kinds = chosen.some((at) => units[at].kind === 'row') ? ['code', 'row'] : ['code']; // Rows are chosen already.
  for (const at of byScore(units, positions(units, ({ kind }, one) => !chosen.includes(one) && !kinds.includes(kind)))) {
    if (units[at].score < told + nearer) break;
    const found = passageOf(units, at).filter((one) => !chosen.includes(one));
    if (!SAY_NOTHING.includes(units[at].stance) && found.includes(at) && units[found[found.length - 1]].stance !== 'announces') return found;
  }
  return [];
}

/**
 * The code block that illustrates a passage, with its lead-in; empty if the passage has one.
 * @param {ScoredUnit[]} units
 * @param {number[]} chosen
 * @param {boolean} named  A block without any name of the passage must be closer to it.
 */
function codeFor(units, chosen, named) {
  const starts = positions(units, ({ kind, goesOn }) => kind === 'code' && !goesOn);
  const told = chosen.filter((at) => units[at].kind !== 'code').map((at) => units[at].text);
  const names = [...new Set(told.flatMap((text) => [...text.matchAll(NAME)].map(([, name]) => name)))];
  const namesIn = (/** @type {number} */ at) => names.filter((name) => units[at].text.includes(name)).length;
  const fitness = (/** @type {number} */ at) => units[at].share + NAMED * Math.min(ENOUGH_NAMES, namesIn(at));
  const shown = Math.max(-1, ...chosen.filter((at) => starts.includes(at)).map(fitness));
  const end = chosen[chosen.length - 1];
  const rounded = (/** @type {number} */ at) => Math.round(fitness(at) * 100);
  const away = (/** @type {number} */ at) => Number(at < end) * units.length + Math.abs(at - end);
  for (const at of starts.sort((a, b) => rounded(b) - rounded(a) || away(a) - away(b))) {
    if (chosen.includes(at) || fitness(at) < shown + FITS_BETTER) break;
    const close = named ? end < at && at <= end + CLOSE_BY : Math.abs(at - end) <= AROUND;
    if (!close && namesIn(at) === 0) continue;
    const passage = passageOf(units, at);
    let last = at;
    while (units[last + 1]?.goesOn) last += 1;
    const few = !isEnough(units, chosen);
    if (passage.length > 0 && (few || at > end)) {
      return passage.filter((one) => one >= (few && !chosen.includes(at - 1) ? passage[0] : at) && one <= last);
    }
  }
  return [];
}

/** The units of nearby warnings; one behind another term is about that term. @param {ScoredUnit[]} units @param {number[]} chosen */
function warningsNear(units, chosen) {
  const [first, last] = [chosen[0], chosen[chosen.length - 1]];
  return positions(units, (unit, at) => {
    const isNear = unit.warning && at >= first - AROUND && at <= last + AROUND && !chosen.includes(at);
    const between = at < first ? range(at, first - 1) : range(last + 1, at);
    return isNear && !between.some((one) => units[one].kind === 'term');
  }).slice(0, MAX_SENTENCES);
}

/** @param {string} mark */
export const indentOf = (mark) => mark.length - mark.trimStart().length;

/** @param {ScoredUnit[]} units @param {(unit: ScoredUnit, at: number) => boolean} holds */
const positions = (units, holds) => [...units.keys()].filter((at) => holds(units[at], at));

/** @param {number} first @param {number} last */
const range = (first, last) => Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

/** @param {ScoredUnit[]} units @param {number[]} chosen @param {number} least */
const highest = (units, chosen, least) => Math.max(least, ...chosen.filter((at) => units[at].kind !== 'code').map((at) => units[at].score));

/** @param {ScoredUnit[]} units @param {number[]} places */
const byScore = (units, places) => places.sort((a, b) => units[b].score - units[a].score);

/** @param {number[]} places */
const sorted = (places) => [...new Set(places)].sort((a, b) => a - b);
