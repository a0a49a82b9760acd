import { align } from './align.js';

/** Longest stretch of the page, in characters, that is searched for the cited words. */
const SEARCH_LIMIT = 60_000;

/** What the index leaves out of a text as well: controls, drawings, what is said to nobody, marks of footnotes, line numbers. */
const LEFT_OUT = 'script, style, template, noscript, button, select, textarea, svg, nav, math, [hidden]:not([role], [hidden=until-found]),'
  + '[aria-hidden=true]:not(.katex-html), a[class*=footnote], a[data-footnote-ref], .linenos, .ln, [class*=lineno],'
  + '[class*=line-number]:not(pre, code, [class*=line-numbers-mode])'; // These hold the code as well.

/** Left out on both sides: the page has table cells, line breaks or nothing where a text has spaces or marks of code. */
const BLANK = /[\s\p{Cc}\p{Cf}`]/gu;

/**
 * @typedef {object} PageText  Text without white space.
 * @property {string} text
 * @property {[node: Text, offset: number][]} places  Where each of its characters stands.
 * @property {Set<number>} edges  Where words begin or end.
 * @property {Set<number>} gaps  Where something stands that was left out.
 */

/**
 * @typedef {object} Passage  The cited words on the page.
 * @property {Range[]} ranges  In order; what stands between is not cited.
 * @property {() => DOMRect} getBoundingClientRect  Around all of them.
 * @property {() => boolean} isWhole  Whether they are still there.
 */

/**
 * Find the cited words on the page.
 * @param {Element} target  The cited heading, row or option; the words stand in it or after it.
 * @param {string[]} words  Texts in the order of the page.
 * @returns {Passage | null} Null when none can be found.
 */
export function findPassage(target, words) {
  const wanted = words.map((text) => text.replace(BLANK, '')).filter((text) => text.replace(CUT, ''));
  const scope = target.closest('article, main') ?? document.body;
  const anchored = target.matches('span, a, code') && target.closest('p'); // Within the words that it stands for.
  for (const from of [anchored || target, scope]) { // Of the whole page when they are not below the target.
    const ranges = rangesOf(collectText(scope, from), wanted);
    if (ranges.length > 0) return passageOf(ranges);
  }
  return null;
}

/** The end of an excerpt that was cut, where the page itself has none such. */
const CUT = /…$/u;

/**
 * @param {PageText} page
 * @param {string[]} wanted
 */
function rangesOf(page, wanted) {
  let from = 0;
  return wanted.flatMap((text) => {
    const needle = page.text.includes(text, from) ? text : text.replace(CUT, '');
    const at = occurrence(page, needle, from);
    const pieces = at >= 0 ? [{ start: at, end: at + needle.length }] : align(page.text, needle, from);
    from = pieces.at(-1)?.end ?? from;
    return pieces.flatMap(({ start, end }) => parted(page.gaps, start, end)).map(([start, end]) => rangeOf(page.places, start, end));
  });
}

/**
 * A stretch of the page's text without what was left out within it.
 * @param {Set<number>} gaps
 * @param {number} start
 * @param {number} end
 */
function parted(gaps, start, end) {
  const cuts = [start, ...[...gaps].filter((gap) => gap > start && gap < end), end];
  return cuts.slice(1).map((cut, at) => [cuts[at], cut]);
}

/**
 * Where a text stands: between whole words if it does anywhere, for a short one is part of others.
 * @param {PageText} page
 * @param {string} needle
 * @param {number} from
 */
function occurrence({ text, edges }, needle, from) {
  const first = text.indexOf(needle, from);
  for (let at = first; at >= 0; at = text.indexOf(needle, at + 1)) {
    if (edges.has(at) && edges.has(at + needle.length)) return at;
  }
  return first;
}

/**
 * The text from a place on, as far as its article goes.
 * @param {Element} scope
 * @param {Element} from
 */
function collectText(scope, from) {
  /** @type {PageText} */
  const page = { text: '', places: [], edges: new Set(), gaps: new Set() };
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
    if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
    if (!/** @type {Element} */ (node).matches(LEFT_OUT)) return NodeFilter.FILTER_SKIP;
    if (node.textContent) page.gaps.add(page.text.length);
    return NodeFilter.FILTER_REJECT;
  });
  walker.currentNode = from;
  /** @type {Node | null} */
  let before = null;
  for (let node = walker.nextNode(); node && page.text.length < SEARCH_LIMIT; node = walker.nextNode()) {
    if (blockOf(node) !== blockOf(before)) page.edges.add(page.text.length);
    appendText(page, /** @type {Text} */ (node));
    before = node;
  }
  page.edges.add(page.text.length);
  return page;
}

/** @param {Node | null} node */
function blockOf(node) {
  return node?.parentElement?.closest('p, li, td, th, dt, dd, pre, div, summary, h1, h2, h3, h4, h5, h6');
}

/**
 * @param {PageText} page
 * @param {Text} node
 */
function appendText(page, node) {
  for (const { 0: character, index } of node.data.matchAll(/./gsu)) {
    const isBlank = character.search(BLANK) === 0;
    if (isBlank || /[^\p{L}\p{N}_]/u.test(character)) page.edges.add(page.text.length);
    if (isBlank) continue;
    page.text += character;
    for (let unit = 0; unit < character.length; unit += 1) page.places.push([node, index + unit]);
    if (/[^\p{L}\p{N}_]/u.test(character)) page.edges.add(page.text.length);
  }
}

/**
 * @param {PageText['places']} places
 * @param {number} start
 * @param {number} end
 */
function rangeOf(places, start, end) {
  const range = document.createRange();
  range.setStart(...places[start]);
  const [node, offset] = places[end - 1];
  range.setEnd(node, offset + 1);
  return range;
}

/**
 * @param {Range[]} ranges
 * @returns {Passage}
 */
function passageOf(ranges) {
  const text = String(ranges);
  return {
    ranges,
    isWhole: () => ranges.every((range) => range.startContainer.isConnected) && String(ranges) === text,
    getBoundingClientRect() {
      const all = ranges.map((range) => range.getBoundingClientRect());
      const seen = all.filter((box) => box.width > 0 || box.height > 0); // What stands behind another tab is nowhere.
      const boxes = seen.length > 0 ? seen : all;
      const edge = (/** @type {'left' | 'top' | 'right' | 'bottom'} */ name) => boxes.map((box) => box[name]);
      const [left, top] = [Math.min(...edge('left')), Math.min(...edge('top'))];
      return new DOMRect(left, top, Math.max(...edge('right')) - left, Math.max(...edge('bottom')) - top);
    },
  };
}
