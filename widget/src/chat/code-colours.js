/** Code in answers in the colours it has on the page; loaded where an answer has code and the page something that colours it. */
import { legible, mix, readColor, writeColor } from '../core/contrast.js';
import { h } from '../dom.js';
import { adopt, css, sheet } from '../styles/css.js';

/**
 * @typedef {{code: HTMLElement, text: string, language: string}} Block
 * @typedef {NonNullable<import('../types.js').ChatHost['highlight']>} Highlight
 */

const codeSheet = sheet(css`
  .prose pre.coloured .icon-button { color: inherit; background: inherit; }
`);

/** Blocks that follow the page's theme. @type {Set<Block>} */
const blocks = new Set();

/** @type {Highlight | undefined} */
let highlight;

/**
 * @param {Element} body  A complete answer.
 * @param {import('../types.js').ChatHost} host
 */
export function colourCode(body, host) {
  if (!highlight) followTheme();
  highlight = host.highlight ?? libraryOf(window);
  adopt(/** @type {ShadowRoot} */ (host.shadowRoot), codeSheet);
  for (const code of /** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll('pre > code'))) {
    const block = { code, text: code.textContent ?? '', language: /^\S*/u.exec(code.dataset.language ?? '')?.[0] ?? '' };
    blocks.add(block);
    paint(block);
  }
}

/**
 * The libraries that colour code in the reader's browser. What they do not know they would guess at, or complain of.
 * @param {any} page
 * @returns {Highlight | undefined}
 */
function libraryOf({ Prism, hljs }) {
  if (Prism?.highlightElement) return (code, language) => Prism.languages[language] && Prism.highlightElement(code);
  return hljs?.highlightElement && ((code, language) => hljs.getLanguage(language) && hljs.highlightElement(code));
}

/** Colours are computed for a theme, so they are computed again when the page changes its. */
function followTheme() {
  const repaint = () => blocks.forEach((block) => (block.code.isConnected ? paint(block) : blocks.delete(block)));
  const observer = new MutationObserver((changes) => { // A style is also the panel's width.
    if (changes.some(({ attributeName }) => attributeName !== 'style')) repaint();
  });
  for (const root of [document.documentElement, document.body]) observer.observe(root, { attributes: true });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
}

/**
 * Have the page colour a copy of the code, out of sight where its own code stands, and take the colours over. Where that
 * fails the code stays as it is.
 * @param {Block} block
 */
async function paint({ code, text, language }) {
  const name = `language-${language}`;
  const copy = h('code', { class: name }, text);
  const frame = h('pre', { class: name, 'aria-hidden': 'true' }, copy);
  Object.assign(frame.style, { position: 'fixed', top: '0', left: '-9999px', visibility: 'hidden' });
  (document.querySelector('main') ?? document.body).append(frame);
  try {
    await highlight?.(copy, language);
    if (copy.textContent === text) dress(code, copy);
  } catch {
    // The page's own affair.
  } finally {
    frame.remove();
  }
}

/**
 * @param {HTMLElement} code
 * @param {HTMLElement} copy
 */
function dress(code, copy) {
  const ground = groundOf(copy);
  const plain = readable(getComputedStyle(copy).color, ground);
  const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  /** @type {HTMLElement[]} */
  const pieces = [];
  while (texts.nextNode()) {
    const { color, fontStyle, fontWeight } = getComputedStyle(/** @type {Element} */ (texts.currentNode.parentElement));
    const piece = h('span', {}, texts.currentNode.textContent);
    Object.assign(piece.style, { color: readable(color, ground), fontStyle, fontWeight });
    const before = pieces.at(-1);
    if (before?.style.cssText === piece.style.cssText) before.append(...piece.childNodes);
    else pieces.push(piece);
  }
  const frame = /** @type {HTMLElement} */ (code.parentElement);
  frame.classList.add('coloured');
  Object.assign(frame.style, { color: plain, backgroundColor: writeColor(ground) });
  code.replaceChildren(...pieces);
}

/**
 * @param {string} color
 * @param {import('../core/contrast.js').Rgb} ground
 */
function readable(color, ground) {
  const read = readColor(color);
  return read ? writeColor(legible(mix(ground, read.rgb, read.alpha), ground)) : color;
}

/**
 * What lies behind an element: the first opaque background, with the translucent ones before it laid over.
 * @param {Element} element
 * @returns {import('../core/contrast.js').Rgb}
 */
function groundOf(element) {
  const own = readColor(getComputedStyle(element).backgroundColor) ?? { rgb: [], alpha: 0 };
  if (own.alpha === 1) return own.rgb;
  const behind = element.parentElement ? groundOf(element.parentElement) : canvas();
  return own.alpha > 0 ? mix(behind, own.rgb, own.alpha) : behind;
}

/** The browser's own ground, which follows the page's colour scheme. */
function canvas() {
  const probe = h('i');
  probe.style.backgroundColor = 'Canvas';
  document.body.append(probe);
  const read = readColor(getComputedStyle(probe).backgroundColor);
  probe.remove();
  return read?.rgb ?? [255, 255, 255];
}
