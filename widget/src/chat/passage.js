/** Longest stretch of the page, in characters, that is searched for the cited words. */
const SEARCH_LIMIT = 20_000;

/** Beginnings of the excerpt that are looked for when the whole of it is not on the page as it is (tables, footnotes' marks). */
const PREFIX_LENGTHS = [Infinity, 100, 50, 25];

/**
 * Find the cited words on the page.
 * @param {Element} target  The cited heading, row or option; the words stand in it or after it.
 * @param {string} excerpt
 * @returns {Range | null} Null when they cannot be found.
 */
export function findPassage(target, excerpt) {
  const words = excerpt.replace(FENCES, '').replace(BLANK, '');
  if (!words) return null;
  const page = collectText(target);
  for (const length of PREFIX_LENGTHS) {
    const needle = words.slice(0, length);
    const at = page.text.indexOf(needle);
    if (at >= 0) return rangeOf(page.places, at, at + sharedLength(page.text, at, words));
  }
  return null;
}

/**
 * How far the page goes on with the excerpt's words, from where their beginning was found.
 * @param {string} text
 * @param {number} at
 * @param {string} words
 */
function sharedLength(text, at, words) {
  let length = 0;
  while (length < words.length && text[at + length] === words[length]) length += 1;
  return length;
}

/**
 * @typedef {{text: string, places: [node: Text, offset: number][]}} PageText  Text without white space, and where each
 *   of its characters stands.
 */

/** What an excerpt has at its ends that the page has not: the marks of a code block, a cut. */
const FENCES = /^```\S*|(?:```)?…?$/gu;

/** Left out on both sides: an excerpt has spaces where the page has table cells, line breaks or nothing. */
const BLANK = /[\s\u200B\uFEFF]/gu;

/**
 * The text from an element on, as far as its article goes.
 * @param {Element} target
 * @returns {PageText}
 */
function collectText(target) {
  const scope = target.closest('article, main') ?? document.body;
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  walker.currentNode = target;
  /** @type {PageText} */
  const page = { text: '', places: [] };
  for (let node = walker.nextNode(); node && page.text.length < SEARCH_LIMIT; node = walker.nextNode()) {
    appendText(page, /** @type {Text} */ (node));
  }
  return page;
}

/**
 * @param {PageText} page
 * @param {Text} node
 */
function appendText(page, node) {
  for (let offset = 0; offset < node.data.length; offset += 1) {
    const character = node.data[offset];
    if (character.search(BLANK) === 0) continue;
    page.text += character;
    page.places.push([node, offset]);
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
