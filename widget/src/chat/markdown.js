// Append-only DOM while text streams in, no innerHTML, 3.5 kB.
import { Attr, parser as createParser, parser_end as endParsing, parser_write as parse, Token } from 'streaming-markdown';
import { ownUrl } from '../core/links.js';
import { h } from '../dom.js';

/**
 * Elements by the library's token. Anything else becomes a span of its text: images, formulas, and literal URLs, which
 * are part of what is quoted and not links of the answer.
 */
const TAGS = /** @type {Record<number, keyof HTMLElementTagNameMap>} */ ({
  [Token.Paragraph]: 'p', [Token.Blockquote]: 'blockquote', [Token.Line_Break]: 'br', [Token.Rule]: 'hr',
  [Token.Heading_1]: 'h3', [Token.Heading_2]: 'h3', [Token.Heading_3]: 'h3', // The next level inside of the panel.
  [Token.Heading_4]: 'h4', [Token.Heading_5]: 'h5', [Token.Heading_6]: 'h6',
  [Token.Italic_Ast]: 'em', [Token.Italic_Und]: 'em', [Token.Strong_Ast]: 'strong', [Token.Strong_Und]: 'strong',
  [Token.Strike]: 's', [Token.Code_Inline]: 'code', [Token.Code_Block]: 'code', [Token.Code_Fence]: 'code',
  [Token.List_Unordered]: 'ul', [Token.List_Ordered]: 'ol', [Token.List_Item]: 'li',
  [Token.Table]: 'table', [Token.Table_Row]: 'tr', [Token.Link]: 'a',
});

/** What opened an emphasis, put back as text when nothing closes it: docs say `**kwargs` and mean it. */
const MARKS = /** @type {Record<number, string>} */ ({
  [Token.Italic_Ast]: '*', [Token.Italic_Und]: '_', [Token.Strong_Ast]: '**', [Token.Strong_Und]: '__', [Token.Strike]: '~~',
});

/** The entities that Markdown writers escape with, which the parser does not know; and `\(`, a formula to it alone. */
const READ_AS = /** @type {Record<string, string>} */ ({
  '&amp;': '&', '&lt;': '\\<', '&gt;': '\\>', '&quot;': '"', '&#39;': "'", '\\(': '(',
});

const CODE = /** @type {number[]} */ ([Token.Code_Inline, Token.Code_Block, Token.Code_Fence]);

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
  const stack = [{ node: root, token: Token.Document }];
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
  return inCode(parser) || pending.startsWith('`') || pending.startsWith('](') || token === Token.Raw_URL;
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
  const node = h(TAGS[token] ?? (token === Token.Table_Cell ? cellTag(parent) : 'span'), { dir: token === Token.Code_Inline && 'ltr' });
  parent.append(wrapped(node, token));
  if (token === Token.Checkbox) node.append('☐ ');
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
  if (token === Token.Code_Block || token === Token.Code_Fence) {
    node.setAttribute('tabindex', '0');
    return h('pre', { dir: 'ltr' }, node);
  }
  return token === Token.Table ? h('div', { class: 'table', tabindex: '0' }, node) : node;
}

/**
 * @param {Open} open
 * @param {number} attribute
 * @param {string} value
 */
function setAttribute(open, attribute, value) {
  if (attribute === Attr.Href) open.href = value;
  else if (attribute === Attr.Lang) open.node.setAttribute('data-language', value);
  else if (attribute === Attr.Start) open.node.setAttribute('start', value);
  else if (attribute === Attr.Checked) open.node.textContent = '☑ ';
}

/**
 * @param {Open} open
 * @param {string} pending  What the parser holds: the closing mark, when there was one.
 * @param {(n: number) => Node} marker
 */
function close({ node, token, href }, pending, marker) {
  const mark = MARKS[token];
  if (mark && !pending.startsWith(mark[0])) node.replaceWith(mark, ...node.childNodes);
  if (token === Token.Link) closeLink(node, href, pending, marker);
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
