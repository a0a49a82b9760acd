/** Quoting docs text as Markdown that shows exactly that text (`answering/markdown.py`). */

const CODE_SPAN = /(?<!`)(`+)(?!`)(?:[^]*?[^`])\1(?!`)/gu;
const ALWAYS = /[\\*<>[\]`~]/gu;
const EDGE_UNDERSCORE = /(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/gu;
const ENTITY = /&(?=#?[\p{L}\p{N}_]+;)/gu;
const LINE_START = /^(\s*)([#+=|-]|\p{Nd}+(?=[.)]))/gmu;

/**
 * Markdown that renders as a text, with its `code spans`; nothing in it can become a tag, a link, emphasis, a list or a heading.
 * @param {string} text
 */
export function escapeProse(text) {
  let markdown = '';
  let cursor = 0;
  for (const match of text.matchAll(CODE_SPAN)) {
    markdown += escaped(text.slice(cursor, match.index)) + match[0];
    cursor = match.index + match[0].length;
  }
  markdown += escaped(text.slice(cursor));
  return markdown.replace(LINE_START, (_, indent, mark) => (/^\p{Nd}/u.test(mark) ? `${indent}${mark}\\` : `${indent}\\${mark}`));
}

/** @param {string} text */
const escaped = (text) => text.replace(ALWAYS, '\\$&').replace(EDGE_UNDERSCORE, '\\_').replace(ENTITY, '&amp;');
