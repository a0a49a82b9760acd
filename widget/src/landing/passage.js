/** Finds cited words on a page. */
import { align } from './align.js';

/** Longest stretch of the page, in characters, that is searched for the cited words. */
const SEARCH_LIMIT = 60_000;

/** Elements that the index has no text of, or other text: controls, drawings, formulas, footnote marks, parts of code. */
const LEFT_OUT = 'script, style, template, noscript, button, select, textarea, svg, nav, math, [hidden]:not([role], [hidden=until-found]),'
  + '.katex, mjx-container, a[class*=footnote], a[data-footnote-ref], .linenos, .ln, [class*=lineno],'
  + '[class*=line-number]:not(pre, code, [class*=line-numbers-mode]),' // These also contain the code.
  + '.gp, .boring, .conum, .conum + b, pre del, pre s, .diff.remove'; // Prompts, hidden lines, callouts, removed lines.

/** Ignored on both sides: a text has spaces or marks of code or struck-out words where the page has cells, line breaks or nothing. */
const BLANK = /[\s\p{Cc}\p{Cf}`~]/gu;

/** Superscripts and subscripts, which a page writes as elements. */
const RAISED = /[\u00b2\u00b3\u00b9\u2070-\u209c]/gu;

const NOT_A_WORD = /[^\p{L}\p{N}_]/u;

const BLOCK = 'p, li, td, th, dt, dd, pre, div, summary, h1, h2, h3, h4, h5, h6';

/** The end of a truncated excerpt. */
const ELLIPSIS = /…$/u;

/**
 * @typedef {object} PageText  Text without white space.
 * @property {string} text
 * @property {[node: Text, offset: number][]} places  The position of each of its characters.
 * @property {Set<number>} edges  Boundaries of words.
 * @property {Set<number>} gaps  Positions of elements that were left out.
 *
 * @typedef {ReturnType<typeof passageOf>} Passage  The cited words on the page.
 */

/**
 * @param {Element} target  The cited heading, row or option; the words are in it or after it.
 * @param {string[]} words  Texts in the order of the page.
 * @returns {Passage | null} Null if none are found.
 */
export function findPassage(target, words) {
  const wanted = words.map((text) => lowered(text.replace(BLANK, ''))).filter((text) => text.replace(ELLIPSIS, ''));
  const scope = target.closest('article, main') ?? document.body;
  const paragraph = target.matches('span, a, code') && target.closest('p'); // An inline target is within its words.
  for (const start of [paragraph || target, scope]) { // The whole page if the words are not below the target.
    const page = collectText(scope, start);
    let from = 0;
    const ranges = wanted.flatMap((text) => {
      const needle = page.text.includes(text, from) ? text : text.replace(ELLIPSIS, '');
      const at = occurrence(page, needle, from);
      const pieces = at >= 0 ? [{ start: at, end: at + needle.length }] : align(page.text, needle, from);
      from = pieces.at(-1)?.end ?? from;
      return pieces.flatMap((piece) => rangesOf(page, piece.start, piece.end));
    });
    if (ranges.length > 0) return passageOf(ranges);
  }
  return null;
}

/** @param {string} text */
const lowered = (text) => text.replace(RAISED, (sign) => sign.normalize('NFKC'));

/** @param {PageText} page @param {number} start @param {number} end */
function rangesOf({ gaps, places }, start, end) {
  // Each element that was left out divides the stretch.
  const cuts = [start, ...[...gaps].filter((gap) => gap > start && gap < end), end];
  return cuts.slice(1).map((cut, at) => {
    const range = document.createRange();
    range.setStart(...places[cuts[at]]);
    const [node, offset] = places[cut - 1];
    range.setEnd(node, offset + 1);
    return range;
  });
}

/**
 * Return the first occurrence of a text between word boundaries, or any first one: a short text is part of other words.
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

/** Return the text from an element to the end of its article. @param {Element} scope @param {Element} from */
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
  const blockOf = (/** @type {Node | null} */ node) => node?.parentElement?.closest(BLOCK);
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

/** @param {PageText} page @param {Text} node */
function appendText(page, node) {
  for (const { 0: character, index } of node.data.matchAll(/./gsu)) {
    const isEdge = NOT_A_WORD.test(character); // Blanks too.
    if (isEdge) page.edges.add(page.text.length);
    if (character.search(BLANK) === 0) continue;
    page.text += lowered(character);
    for (let unit = 0; unit < character.length; unit += 1) page.places.push([node, index + unit]);
    if (isEdge) page.edges.add(page.text.length);
  }
}

/** @param {Range[]} ranges  In order; the text between them is not cited. */
function passageOf(ranges) {
  const text = String(ranges);
  return {
    ranges,
    /** Return whether the words are still on the page. */
    isWhole: () => ranges.every((range) => range.startContainer.isConnected) && String(ranges) === text,
    /** Return the box around all ranges. */
    getBoundingClientRect() {
      const all = ranges.map((range) => range.getBoundingClientRect());
      const visible = all.filter((box) => box.width > 0 || box.height > 0); // Text in a closed tab has no size.
      const boxes = visible.length > 0 ? visible : all;
      const edge = (/** @type {'left' | 'top' | 'right' | 'bottom'} */ name) => boxes.map((box) => box[name]);
      const [left, top] = [Math.min(...edge('left')), Math.min(...edge('top'))];
      return new DOMRect(left, top, Math.max(...edge('right')) - left, Math.max(...edge('bottom')) - top);
    },
  };
}
