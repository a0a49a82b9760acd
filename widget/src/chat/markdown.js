/** Renders Markdown as it streams in, append-only and without innerHTML; and returns a rendered answer as plain text. */
import * as smd from 'streaming-markdown'; // 3.5 kB. Constants by name: the objects `Token` and `Attr` would be bundled whole.
import { parser as createParser, parser_end as endParsing, parser_write as parse } from 'streaming-markdown';
import { sameOriginUrl } from '../core/links.js';
import { h } from '../dom.js';

/**
 * Elements by the library's token. Other tokens become a span of their text: images, formulas, and literal URLs, which are
 * part of a quotation, not links of the answer.
 */
const TAGS = /** @type {Record<number, keyof HTMLElementTagNameMap>} */ ({
  [smd.PARAGRAPH]: 'p', [smd.BLOCKQUOTE]: 'blockquote', [smd.LINE_BREAK]: 'br', [smd.RULE]: 'hr',
  [smd.HEADING_1]: 'h3', [smd.HEADING_2]: 'h3', [smd.HEADING_3]: 'h3', // The level below the panel's heading.
  [smd.HEADING_4]: 'h4', [smd.HEADING_5]: 'h5', [smd.HEADING_6]: 'h6',
  [smd.ITALIC_AST]: 'em', [smd.ITALIC_UND]: 'em', [smd.STRONG_AST]: 'strong', [smd.STRONG_UND]: 'strong',
  [smd.STRIKE]: 's', [smd.CODE_INLINE]: 'code', [smd.CODE_BLOCK]: 'code', [smd.CODE_FENCE]: 'code',
  [smd.LIST_UNORDERED]: 'ul', [smd.LIST_ORDERED]: 'ol', [smd.LIST_ITEM]: 'li',
  [smd.TABLE]: 'table', [smd.TABLE_ROW]: 'tr', [smd.LINK]: 'a',
});

/** Opening marks, restored as text if nothing closes them: docs write `**kwargs`. */
const MARKS = /** @type {Record<number, string>} */ ({
  [smd.ITALIC_AST]: '*', [smd.ITALIC_UND]: '_', [smd.STRONG_AST]: '**', [smd.STRONG_UND]: '__', [smd.STRIKE]: '~~',
});

/** HTML entities, which the parser does not decode; and `\(`, which it reads as a formula. */
const REPLACEMENTS = /** @type {Record<string, string>} */ ({
  '&amp;': '&', '&lt;': '\\<', '&gt;': '\\>', '&quot;': '"', '&#39;': "'", '\\(': '(',
});

const CODE = /** @type {number[]} */ ([smd.CODE_INLINE, smd.CODE_BLOCK, smd.CODE_FENCE]);

/**
 * Text that docs mean literally and the parser does not: underscores within words (`snake_case`), dollar signs (`$HOME`),
 * `\(` and entities. Other escapes match too, so that they are passed on whole.
 */
const LITERAL = /\\.|&(?:amp|lt|gt|quot|#39);|(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])|\$/gsu;

/** The end of a chunk whose meaning depends on the next one: underscores, part of an escape, entity, marker or link. */
const UNFINISHED = /(?:_+|(?<!\\)(?:\\\\)*\\|&[#\w]{0,6}|\[[\^\d,\s]*\]?)?$/u;

/** The number of an item in an ordered list. */
const NUMBER = /^\d+\.$/u;

/** A mark that Markdown does not have, at the start of an item: a letter, a Roman numeral, or an unusual number. */
const OWN_MARK = /^(?:\p{L}|[ivxlcdm]{2,9}|-?\d+)\. /iu;

/** Citation markers: `[1]`, `[1, 2]`, `[^1]`. */
const MARKER = /^\^?[1-9]\d?(?:\s*,\s*[1-9]\d?)*$/u;

/** @typedef {{node: Element, token: number, href?: string}} Open  An element that is not yet closed. */

/**
 * Create a writer that only appends nodes, so that nothing moves under the pointer.
 * @param {Element} root
 * @param {(n: number) => Node} marker  Creates the marker of citation `n`.
 */
export function createMarkdown(root, marker) {
  /** @type {Open[]} */
  const stack = [{ node: root, token: smd.DOCUMENT }];
  const parser = createParser({
    data: undefined,
    add_token: (_, token) => open(stack, token, parser.pending),
    end_token: () => close(/** @type {Open} */ (stack.pop()), parser.pending, marker),
    add_text: (_, text) => stack[stack.length - 1].node.append(text),
    set_attr(_, attribute, value) {
      const last = stack[stack.length - 1];
      if (attribute === smd.HREF) last.href = value;
      else if (attribute === smd.LANG) last.node.setAttribute('data-language', value);
      else if (attribute === smd.START) last.node.setAttribute('start', value);
      else if (attribute === smd.CHECKED) last.node.textContent = '☑ ';
    },
  });
  let previous = ''; // The character before a chunk, for the look-behind.
  let unfinished = ''; // The end of the last chunk.

  /** Pass text to the parser with literal characters escaped. @param {string} text */
  function feed(text) {
    const context = previous + text;
    let from = previous.length;
    for (const { 0: match, index } of context.matchAll(LITERAL)) {
      if (index < from) continue;
      parse(parser, context.slice(from, index));
      const { token, pending, tokens, len } = parser;
      // Within code or a URL, a backslash is literal.
      const isCode = CODE.includes(tokens[len]) || pending.startsWith('`');
      const isUrl = pending.startsWith('](') || token === smd.RAW_URL;
      const escaped = REPLACEMENTS[match] ?? (match.startsWith('\\') ? match : match.replace(/./gu, '\\$&'));
      parse(parser, isCode || isUrl ? match : escaped);
      from = index + match.length;
    }
    parse(parser, context.slice(from));
    previous = context.slice(-1);
  }

  return {
    /** @param {string} text */
    write(text) {
      const whole = unfinished + text;
      unfinished = UNFINISHED.exec(whole)?.[0] ?? '';
      feed(whole.slice(0, whole.length - unfinished.length));
    },
    end() {
      feed(unfinished);
      unfinished = '';
      endParsing(parser);
      while (stack.length > 1) close(/** @type {Open} */ (stack.pop()), '', marker);
    },
  };
}

/**
 * @param {Open[]} stack
 * @param {number} token
 * @param {string} pending  Text that the parser holds back: of an item in an ordered list, its number.
 */
function open(stack, token, pending) {
  const parent = stack[stack.length - 1].node;
  const cell = parent.previousElementSibling ? 'td' : 'th';
  const node = h(TAGS[token] ?? (token === smd.TABLE_CELL ? cell : 'span'), { dir: token === smd.CODE_INLINE && 'ltr' });
  // Code and tables scroll by themselves, with the keyboard too.
  const isCode = token === smd.CODE_BLOCK || token === smd.CODE_FENCE;
  if (isCode) node.setAttribute('tabindex', '0');
  const box = isCode ? h('pre', { dir: 'ltr' }) : token === smd.TABLE && h('div', { class: 'table', tabindex: '0' });
  if (box) box.append(node);
  parent.append(box || node);
  if (token === smd.CHECKBOX) node.append('☐ ');
  if (token === smd.LIST_ITEM && NUMBER.test(pending)) setNumber(node, parseInt(pending, 10));
  stack.push({ node, token });
}

/**
 * Number an item as it is written, because a quoted list may have gaps. A list of ones alone counts by itself.
 * @param {Element} item
 * @param {number} number
 */
function setNumber(item, number) {
  if (number !== 1 || item.previousElementSibling?.hasAttribute('value')) item.setAttribute('value', `${number}`);
}

/**
 * @param {Open} open
 * @param {string} pending  Text that the parser holds back: the closing mark, if there was one.
 * @param {(n: number) => Node} marker
 */
function close({ node, token, href }, pending, marker) {
  const mark = MARKS[token];
  if (mark && !pending.startsWith(mark[0])) node.replaceWith(mark, ...node.childNodes);
  if (token === smd.LIST_ITEM && OWN_MARK.test(node.textContent ?? '')) node.classList.add('own-mark');
  if (token !== smd.LINK) return;
  const text = node.textContent ?? '';
  const url = href && sameOriginUrl(href, document.baseURI);
  if (MARKER.test(text)) {
    const before = node.previousSibling; // A marker stays on one line with the word before it.
    if (before?.nodeType === Node.TEXT_NODE) before.textContent = before.textContent?.replace(/ $/u, '\u00A0') ?? '';
    node.replaceWith(...(text.match(/\d+/gu) ?? []).map((n) => marker(Number(n))));
  } else if (url) node.setAttribute('href', url);
  else if (href !== undefined) node.replaceWith(...node.childNodes);
  else node.replaceWith('[', ...node.childNodes, pending.startsWith(']') ? ']' : ''); // Only brackets were written.
}

const BLOCKS = /^(?:P|LI|PRE|BLOCKQUOTE|H[1-6]|TR|DIV)$/u;

/** Return a rendered answer as text for screen readers: words and line breaks, without citation markers and buttons. @param {Node} node */
export function plainText(node) {
  return collectText(node).replaceAll('\u00A0', ' ').replace(/[ \t]+\n/gu, '\n').replace(/\n{3,}/gu, '\n\n').trim();
}

/** @param {Node} node @returns {string} */
function collectText(node) {
  if (node.nodeType === 3) return node.textContent ?? '';
  const element = /** @type {Element} */ (node);
  if (element.matches?.('.cite, button')) return '';
  if (element.tagName === 'BR') return '\n';
  const inner = [...node.childNodes].map(collectText).join(element.tagName === 'TR' ? '\t' : '');
  if (element.tagName === 'LI') return `${element.matches('[value]') ? `${element.getAttribute('value')}.` : '-'} ${inner.trim()}\n`;
  if (element.tagName === 'TR') return `${inner}\n`;
  return BLOCKS.test(element.tagName ?? '') ? `${inner}\n\n` : inner;
}
