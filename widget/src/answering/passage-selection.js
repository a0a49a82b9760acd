import { range, sum } from '../search/numbers.js';
import { every, rules } from './rules.js';
/** @import {ScoredUnit} from './types.js' */

/**
 * The positions of the units to quote from a section, in order (`answering/corpus/passage_selection.py`): a short section whole; of a
 * longer one the opening and the nearest part. The passage of each unit is in the files. Empty if the section says nothing.
 * @param {ScoredUnit[]} units
 * @param {{words: number, lines: number, nearer: number}} budget
 * @param {boolean} shows  The question asks how, so that a passage without code gets a code block.
 * @param {boolean} task  The question only names a task, which a code block with its words may answer.
 */
export function quoted(units, budget, shows, task) {
  const limits = rules.passages;
  const positions = (/** @type {(unit: ScoredUnit, at: number) => boolean} */ holds) => (
    range(0, units.length).filter((at) => holds(units[at], at)));
  const byScore = (/** @type {number[]} */ places) => places.sort((a, b) => units[b].score - units[a].score);
  const sorted = (/** @type {number[]} */ places) => [...new Set(places)].sort((a, b) => a - b);
  const isCode = (/** @type {number} */ at) => units[at].kind === 'code';
  const isTerm = (/** @type {number} */ at) => units[at]?.kind === 'term';
  const announces = (/** @type {number} */ at) => units[at].role === 'announces';
  const highest = (/** @type {number[]} */ chosen, /** @type {number} */ least) => (
    Math.max(least, ...chosen.filter((at) => !isCode(at)).map((at) => units[at].score)));

  /** A unit's passage; of a long list or table only the best items or rows. @param {number} at */
  function passageOf(at) {
    const { position: own, passage, picks } = units[at];
    const ranges = passage.filter((_, one) => one % 2 === 0).map((first, one) => (
      positions(({ position }) => position >= own + first && position <= own + passage[2 * one + 1])));
    if (picks) return [...ranges.slice(0, -1).flat(), ...picked(ranges[ranges.length - 1] ?? [], at)];
    const chosen = ranges.flat();
    // Of a long section, the passage may end outside of the parts that were read; then it ends before a lead-in.
    const isCut = chosen.length > 0 && units[chosen[chosen.length - 1]].position < own + passage[passage.length - 1];
    while (isCut && chosen.length > 0 && announces(chosen[chosen.length - 1])) chosen.pop();
    return chosen;
  }

  /** The best item or row of a list with those nearly as good, each with its nested items. @param {number[]} run @param {number} at */
  function picked(run, at) {
    const near = byScore(run.filter((one) => units[one].score >= units[at].score - limits.near_best));
    const blocks = new Set([at, ...near.slice(0, limits.picked)].map((one) => units[one].block));
    let least = Infinity;
    for (const { block, mark } of run.map((one) => units[one]).reverse()) { // The items above them as well.
      if (!blocks.has(block) && !(mark && indentOf(mark) < least && least < Infinity)) continue;
      blocks.add(block);
      least = Math.min(least, indentOf(mark));
    }
    let indent = Infinity; // Of the chosen item above; none yet.
    const kept = run.filter((one) => {
      const { block, mark } = units[one];
      const deeper = indent < Infinity && (!mark || indentOf(mark) > indent);
      if (!deeper) indent = blocks.has(block) ? indentOf(mark) : Infinity;
      return indent < Infinity;
    });
    const length = sum(kept.map((one) => [...units[one].text].length));
    return length <= limits.longest_list ? kept : kept.filter((one) => blocks.has(units[one].block));
  }

  /** The opening, or a passage that is clearly nearer to the question. @param {number[]} opening */
  function best(opening) {
    const told = highest(opening, -1);
    for (const one of byScore(positions((_, at) => !isCode(at) && !opening.includes(at)))) {
      if (opening.length > 0 && units[one].score < told + limits.beats_opening) break;
      const passage = limits.say_nothing.includes(units[one].role) ? [] : passageOf(one);
      if (passage.length > 0) return readFrom(opening, passage);
    }
    return opening.length > 0 ? opening : positions(({ role }) => role === 'refers').slice(0, 1);
  }

  /** A passage, from the opening on if that is only a sentence or two before it. @param {number[]} opening @param {number[]} passage */
  function readFrom(opening, passage) {
    if (opening.length === 0 || opening[0] > passage[0]) return passage;
    const whole = range(opening[0], passage[passage.length - 1] + 1);
    const fitting = isCode(opening[0]) ? ['prose', 'term', 'code'] : ['prose', 'term'];
    const fit = whole.every((at) => passage.includes(at) || fitting.includes(units[at].kind));
    return !isEnough(whole.slice(0, -1)) && fit && whole.length <= limits.near ? whole : passage;
  }

  /** A passage with only one row of its table, if that row scores much higher than all others. @param {number[]} chosen */
  function withoutOtherRows(chosen) {
    const [row, ...others] = byScore(chosen.filter((at) => units[at].kind === 'row'));
    if (others.length === 0 || units[row].score < units[others[0]].score + limits.the_row) return chosen;
    return chosen.filter((at) => !others.includes(at));
  }

  /** @param {number[]} chosen */
  function fits(chosen, { words, lines } = budget) {
    const code = sum(chosen.filter(isCode).map((at) => units[at].text.split('\n').length - 2));
    const prose = sum(chosen.filter((at) => !isCode(at)).map((at) => units[at].text.match(/\S+/gu)?.length ?? 0));
    return prose <= words && code <= lines && chosen.filter((at) => units[at].kind === 'row').length <= limits.few_rows;
  }

  /** Whether a passage has as many sentences as an answer may have; a fragment ("Default: `5`") is none. @param {number[]} chosen */
  function isEnough(chosen) {
    const told = chosen.map((at) => units[at]).filter(({ kind }) => kind === 'prose');
    return told.filter(({ role, text }) => role !== 'fragment' || limits.sentence_end.test(text)).length >= limits.sentences;
  }

  /** The units without lead-ins to content that is not quoted. @param {number[]} chosen */
  const withoutEnds = (chosen) => [...chosen].reverse().reduce((/** @type {number[]} */ kept, at) => (
    !announces(at) || kept[0] === at + 1 ? [at, ...kept] : kept), []);

  /** A passage about one term of a list with its whole definition, if that fits, without other notes. @param {number[]} chosen */
  function definition(chosen) {
    const last = chosen[chosen.length - 1];
    const end = units.findIndex((_, at) => at > last && isTerm(at));
    let first = units.findLastIndex((_, at) => at <= chosen[0] && isTerm(at));
    const begins = first === chosen[0];
    if (!(first >= 0 && (begins || end > 0) && units[first].entry)) return chosen;
    while (isTerm(first - 1)) first -= 1; // Other names of the term, or the lines of a long one.
    const whole = range(first, end < 0 ? last + 1 : end).filter((at) => chosen.includes(at) || !units[at].admonition);
    return fits(whole, begins ? budget : limits.definition) ? withoutEnds(whole) : chosen;
  }

  /** A term's definition with the next nearest one of the list, if both fit. @param {number[]} chosen */
  function withOtherTerm(chosen) {
    const other = further(chosen);
    if (other.length === 0 || !units[other[0]].entry) return chosen;
    const both = sorted([...chosen, ...definition(other)]);
    return fits(both) ? both : chosen;
  }

  /** The nearest other passage of a section. @param {number[]} chosen */
  function further(chosen) {
    const told = highest(chosen, chosen.every(isCode) ? 0 : -Infinity);
    const kinds = chosen.some((at) => units[at].kind === 'row') ? ['code', 'row'] : ['code']; // Rows are chosen already.
    for (const at of byScore(positions(({ kind }, one) => !chosen.includes(one) && !kinds.includes(kind)))) {
      if (units[at].score < told + budget.nearer) break;
      const found = passageOf(at).filter((one) => !chosen.includes(one));
      if (!limits.say_nothing.includes(units[at].role) && found.includes(at) && !announces(found[found.length - 1])) return found;
    }
    return [];
  }

  /** The code block that illustrates a passage, with its lead-in; empty if the passage has one. @param {number[]} chosen */
  function codeFor(chosen) {
    const starts = positions(({ goes_on: goesOn }, at) => isCode(at) && !goesOn);
    const told = chosen.filter((at) => !isCode(at)).map((at) => units[at].text);
    const names = new Set(told.flatMap((text) => [...text.matchAll(every(limits.name))].map(([, name]) => name)));
    const namesIn = (/** @type {number} */ at) => [...names].filter((name) => units[at].text.includes(name)).length;
    const fitness = (/** @type {number} */ at) => units[at].share + limits.named * Math.min(limits.enough_names, namesIn(at));
    const shown = Math.max(-1, ...chosen.filter((at) => starts.includes(at)).map(fitness));
    const end = chosen[chosen.length - 1];
    const rounded = (/** @type {number} */ at) => Math.round(fitness(at) * 100);
    const away = (/** @type {number} */ at) => Number(at < end) * units.length + Math.abs(at - end);
    for (const at of starts.sort((a, b) => rounded(b) - rounded(a) || away(a) - away(b))) {
      if (chosen.includes(at) || fitness(at) < shown + limits.fits_better) break;
      // For a task alone, a block without any name of the passage must be closer to it.
      const close = shows ? Math.abs(at - end) <= limits.around : end < at && at <= end + limits.close_by;
      if (!close && namesIn(at) === 0) continue;
      const passage = passageOf(at);
      let last = at;
      while (units[last + 1]?.goes_on) last += 1;
      const few = !isEnough(chosen);
      if (passage.length > 0 && (few || at > end)) {
        return passage.filter((one) => one >= (few && !chosen.includes(at - 1) ? passage[0] : at) && one <= last);
      }
    }
    return [];
  }

  /** The units of nearby warnings; one behind another term is about that term. @param {number[]} chosen */
  function warningsNear(chosen) {
    const [first, last] = [chosen[0], chosen[chosen.length - 1]];
    return positions((unit, at) => {
      const isNear = unit.warning && at >= first - limits.around && at <= last + limits.around && !chosen.includes(at);
      return isNear && !(at < first ? range(at, first) : range(last + 1, at + 1)).some(isTerm);
    }).slice(0, limits.sentences);
  }

  const [opening] = byScore(positions((unit) => unit.opening));
  const found = best(opening === undefined ? [] : passageOf(opening));
  let chosen = withoutOtherRows(found);
  if (chosen.length === 0 || pointsElsewhere(units, chosen)) return chosen;
  if (chosen.length === found.length && fits(range(0, units.length))) {
    return withoutEnds(positions((unit, at) => chosen.includes(at) || !unit.navigation));
  }
  chosen = definition(chosen);
  if (shows || task) chosen = sorted([...chosen, ...codeFor(chosen)]);
  if (units[chosen[0]].entry) chosen = withOtherTerm(chosen);
  else if (chosen.includes(opening)) chosen = sorted([...chosen, ...definition(further(chosen))]);
  return sorted([...chosen, ...warningsNear(chosen)]);
}

/** Whether a passage only refers to other pages, or is mostly a list of links. @param {ScoredUnit[]} units @param {number[]} chosen */
export function pointsElsewhere(units, chosen) {
  const refers = chosen.filter((at) => units[at].role === 'refers').length;
  const told = chosen.some((at) => units[at].role !== 'refers' && units[at].kind !== 'item');
  return refers * 2 >= chosen.length && !told;
}

/** @param {string} mark */
export const indentOf = (mark) => mark.length - mark.trimStart().length;
