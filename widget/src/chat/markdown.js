// Append-only DOM while text streams in, no innerHTML, 3.5 kB.
import * as smd from 'streaming-markdown'; // Its constants by name: the objects `Token` and `Attr` would be bundled whole.
import { parser as createParser, parser_end as endParsing, parser_write as parse } from 'streaming-markdown';
import { ownUrl } from '../core/links.js';
import { h } from '../dom.js';

/**
 * Elements by the library's token. Anything else becomes a span of its text: images, formulas, and literal URLs, which
 * are part of what is quoted and not links of the answer.
 */
const TAGS = /** @type {Record<number, keyof HTMLElementTagNameMap>} */ ({
  [smd.PARAGRAPH]: 'p', [smd.BLOCKQUOTE]: 'blockquote', [smd.LINE_BREAK]: 'br', [smd.RULE]: 'hr',
  [smd.HEADING_1]: 'h3', [smd.HEADING_2]: 'h3', [smd.HEADING_3]: 'h3', // The next level inside of the panel.
  [smd.HEADING_4]: 'h4', [smd.HEADING_5]: 'h5', [smd.HEADING_6]: 'h6',
  [smd.ITALIC_AST]: 'em', [smd.ITALIC_UND]: 'em', [smd.STRONG_AST]: 'strong', [smd.STRONG_UND]: 'strong',
  [smd.STRIKE]: 's', [smd.CODE_INLINE]: 'code', [smd.CODE_BLOCK]: 'code', [smd.CODE_FENCE]: 'code',
  [smd.LIST_UNORDERED]: 'ul', [smd.LIST_ORDERED]: 'ol', [smd.LIST_ITEM]: 'li',
  [smd.TABLE]: 'table', [smd.TABLE_ROW]: 'tr', [smd.LINK]: 'a',
});

/** What opened an emphasis, put back as text when nothing closes it: docs say `**kwargs` and mean it. */
const MARKS = /** @type {Record<number, string>} */ ({
  [smd.ITALIC_AST]: '*', [smd.ITALIC_UND]: '_', [smd.STRONG_AST]: '**', [smd.STRONG_UND]: '__', [smd.STRIKE]: '~~',
});

/** The entities that Markdown writers escape with, which the parser does not know; and `\(`, a formula to it alone. */
const READ_AS = /** @type {Record<string, string>} */ ({
  '&amp;': '&', '&lt;': '\\<', '&gt;': '\\>', '&quot;': '"', '&#39;': "'", '\\(': '(',
});

const CODE = /** @type {number[]} */ ([smd.CODE_INLINE, smd.CODE_BLOCK, smd.CODE_FENCE]);

/**
 * What the parser takes for more than docs mean by it: underscores inside a word (`snake_case`) for emphasis, dollar
 * signs (`$HOME`) and `\(` for formulas; and entities, which it takes for text. Other escapes are matched so that they are
 * passed on whole.
 */
const LITERAL = /\\.|&(?:amp|lt|gt|quot|#39);|(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])|\$/gsu;

/** The end of a chunk that only the next one explains: underscores, half an escape or entity, a marker or link so far. */
const UNFINISHED = /(?:_+|(?<!\\)(?:\\\\)*\\|&[#\w]{0,6}|\[[\^\d,\s]*\]?)?$/u;

/** `[1]`, `[1, 2]`, `[^1]`: the answer's citation markers. */
const MARKER = /^\^?[1-9]\d?(?:\s*,\s*[1-9]\d?)*$/u;

/**
 * @typedef {{node: Element, token: number, href?: string}} Open  An element still being filled.
 */

/**
 * Render Markdown as it streams in. Nodes are only ever appended, so nothing moves under the pointer.
 * @param {Element} root
 * @param {(n: number) => Node} marker  Makes the chip of citation `n`.
 * @returns {{write: (text: string) => void, end: () => void}}
 */
export function createMarkdown(root, marker) {
  /** @type {Open[]} */
  const stack = [{ node: root, token: smd.DOCUMENT }];
  const parser = createParser({
    data: undefined,
    add_token: (_, token) => open(stack, token),
    end_token: () => close(/** @type {Open} */ (stack.pop()), parser.pending, marker),
    add_text: (_, text) => stack[stack.length - 1].node.append(text),
    set_attr: (_, attr, value) => setAttribute(stack[stack.length - 1], attr, value),
  });
  const feed = createFeed(parser);

  return {
    write: feed.write,
    end() {
      feed.flush();
      endParsing(parser);
      while (stack.length > 1) close(/** @type {Open} */ (stack.pop()), '', marker);
    },
  };
}

/**
 * Hands text to the parser with literal underscores and dollar signs escaped, wherever chunks are split.
 * @param {import('streaming-markdown').Parser} parser
 */
function createFeed(parser) {
  let previous = ''; // The character before, for the look-behind.
  let held = ''; // The unfinished end of the last chunk.

  /** @param {string} text */
  function feed(text) {
    const context = previous + text;
    let from = previous.length;
    for (const { 0: run, index } of context.matchAll(LITERAL)) {
      if (index < from) continue;
      parse(parser, context.slice(from, index));
      parse(parser, isVerbatim(parser) ? run : escaped(run));
      from = index + run.length;
    }
    parse(parser, context.slice(from));
    previous = context.slice(-1);
  }

  return {
    /** @param {string} text */
    write(text) {
      const whole = held + text;
      held = UNFINISHED.exec(whole)?.[0] ?? '';
      feed(whole.slice(0, whole.length - held.length));
    },
    flush() {
      feed(held);
      held = '';
    },
  };
}

/**
 * @param {string} run  What `LITERAL` matched.
 * @returns {string} Markdown that the parser shows as that text.
 */
function escaped(run) {
  return READ_AS[run] ?? (run.startsWith('\\') ? run : run.replace(/./gu, '\\$&'));
}

/**
 * Whether the parser stands in code or in a URL, where a backslash would be shown.
 * @param {import('streaming-markdown').Parser} parser
 */
function isVerbatim(parser) {
  const { token, pending } = parser;
  return inCode(parser) || pending.startsWith('`') || pending.startsWith('](') || token === smd.RAW_URL;
}

/** @param {import('streaming-markdown').Parser} parser */
function inCode({ tokens, len }) {
  return CODE.includes(tokens[len]);
}

/**
 * @param {Open[]} stack
 * @param {number} token
 */
function open(stack, token) {
  const parent = stack[stack.length - 1].node;
  const node = h(TAGS[token] ?? (token === smd.TABLE_CELL ? cellTag(parent) : 'span'), { dir: token === smd.CODE_INLINE && 'ltr' });
  parent.append(wrapped(node, token));
  if (token === smd.CHECKBOX) node.append('☐ ');
  stack.push({ node, token });
}

/** @param {Element} row */
function cellTag(row) {
  return row.previousElementSibling ? 'td' : 'th';
}

/**
 * Code and tables scroll by themselves, with the keyboard too.
 * @param {Element} node
 * @param {number} token
 */
function wrapped(node, token) {
  if (token === smd.CODE_BLOCK || token === smd.CODE_FENCE) {
    node.setAttribute('tabindex', '0');
    return h('pre', { dir: 'ltr' }, node);
  }
  return token === smd.TABLE ? h('div', { class: 'table', tabindex: '0' }, node) : node;
}

/**
 * @param {Open} open
 * @param {number} attribute
 * @param {string} value
 */
function setAttribute(open, attribute, value) {
  if (attribute === smd.HREF) open.href = value;
  else if (attribute === smd.LANG) open.node.setAttribute('data-language', value);
  else if (attribute === smd.START) open.node.setAttribute('start', value);
  else if (attribute === smd.CHECKED) open.node.textContent = '☑ ';
}

/**
 * @param {Open} open
 * @param {string} pending  What the parser holds: the closing mark, when there was one.
 * @param {(n: number) => Node} marker
 */
function close({ node, token, href }, pending, marker) {
  const mark = MARKS[token];
  if (mark && !pending.startsWith(mark[0])) node.replaceWith(mark, ...node.childNodes);
  if (token === smd.LINK) closeLink(node, href, pending, marker);
}

/**
 * A chip does not go to the next line without the word before it.
 * @param {Node | null} before
 */
function keepTogether(before) {
  if (before?.nodeType === Node.TEXT_NODE) before.textContent = before.textContent?.replace(/ $/u, '\u00A0') ?? '';
}

/**
 * @param {Element} node
 * @param {string | undefined} href  Undefined when only brackets were written.
 * @param {string} pending
 * @param {(n: number) => Node} marker
 */
function closeLink(node, href, pending, marker) {
  const text = node.textContent ?? '';
  const url = href && ownUrl(href, document.baseURI);
  if (MARKER.test(text)) keepTogether(node.previousSibling);
  if (MARKER.test(text)) node.replaceWith(...(text.match(/\d+/gu) ?? []).map((n) => marker(Number(n))));
  else if (url) node.setAttribute('href', url);
  else if (href !== undefined) node.replaceWith(...node.childNodes);
  else node.replaceWith('[', ...node.childNodes, pending.startsWith(']') ? ']' : '');
}
