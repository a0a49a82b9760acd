import { formsOf, plain, RUN_OR_WORD } from './cut.js';

/** About two lines of the panel. */
const LENGTH = 150;

/** How far before the first telling word a passage begins, where no sentence does. */
const LEAD = 40;

/** Where a passage may begin: after the end of a sentence or a line. */
const BEGINNING = /[.!?。！？]\s|\n/gu;

/** What texts of the index have of Markdown: it is drawn in an answer, and in the way here. */
const MARKUP = /```\w*|`|\*\*|^> /gmu;

/**
 * @typedef {[text: string, isMatch: boolean]} Stretch
 */

/**
 * A text in stretches, those that were looked for told apart.
 * @param {string} text
 * @param {Set<string>} forms  In lower case.
 * @returns {Stretch[]}
 */
export function marked(text, forms) {
  /** @type {Stretch[]} */
  const stretches = [];
  let end = 0;
  for (const [from, to] of matches(text, forms)) {
    if (from > end) stretches.push([text.slice(end, from), false]);
    stretches.push([text.slice(from, to), true]);
    end = to;
  }
  return end < text.length ? [...stretches, [text.slice(end), false]] : stretches;
}

/**
 * The passage of a section's text that has the most of what was looked for, as it stands there.
 * @param {string} text
 * @param {Set<string>} forms
 * @returns {{shown: string, cited: string}}  As the reader sees it, and whole sentences of it as the page has them.
 */
export function passage(text, forms) {
  const found = [...matches(text, forms)];
  let best = 0;
  let most = 0;
  for (const [from] of found) {
    const near = found.filter(([other, to]) => other >= from && to <= from + LENGTH - LEAD);
    const within = new Set(near.map(([at, to]) => text.slice(at, to).toLowerCase()));
    if (within.size > most) [best, most] = [from, within.size];
  }
  const starts = [0, ...[...text.matchAll(BEGINNING)].map(({ 0: gap, index }) => index + gap.length)];
  const start = Math.max(...starts.filter((at) => at <= best));
  const from = best - start > LEAD * 2 ? wordAt(text, best - LEAD) : start;
  const to = text.length - from > LENGTH ? wordAt(text, from + LENGTH) : text.length;
  const sentences = starts.findLast((at) => at > from && at <= to && at > best) ?? to;
  const shown = text.slice(from, to).replace(MARKUP, '').trim();
  return { shown: to < text.length ? `${shown} …` : shown, cited: text.slice(from, sentences).trim() };
}

/** The beginning of the word that a place is in or after. @param {string} text @param {number} at */
function wordAt(text, at) {
  const blank = text.slice(at - LEAD / 2, at).search(/\s\S*$/u);
  return blank < 0 ? at : at - LEAD / 2 + blank + 1;
}

/**
 * Where words stand that were looked for; of a run without blanks, the pairs.
 * @param {string} text
 * @param {Set<string>} forms
 * @returns {Generator<[from: number, to: number]>}
 */
function* matches(text, forms) {
  for (const { 0: found, index } of text.matchAll(RUN_OR_WORD)) {
    const own = formsOf(plain(found));
    if (own[0]?.length < found.length && own.join('').length !== found.length) {
      yield* pairs(found, index, own, forms);
    } else if (own.some((form) => forms.has(form))) yield [index, index + found.length];
  }
}

/**
 * @param {string} run
 * @param {number} index
 * @param {string[]} own  Its pairs.
 * @param {Set<string>} forms
 * @returns {Generator<[from: number, to: number]>}
 */
function* pairs(run, index, own, forms) {
  let at = 0;
  let [from, to] = [-1, -1];
  for (const pair of own) {
    const start = run.indexOf(pair, at);
    if (start < 0) continue;
    at = start + 1;
    if (!forms.has(pair)) continue;
    if (from >= 0 && start > to) yield [index + from, index + to];
    if (from < 0 || start > to) from = start;
    to = start + pair.length;
  }
  if (from >= 0) yield [index + from, index + to];
}
