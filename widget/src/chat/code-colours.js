/** Colours code in answers like code on the page; loaded if an answer contains code and the page has a highlighter. */
import { ensureContrast, mix, readColor, writeColor } from '../core/contrast.js';
import { h } from '../dom.js';
import { adopt, css, sheet } from '../styles/css.js';

/**
 * @import {ChatHost} from '../types.js'
 * @import {Rgb} from '../core/contrast.js'
 * @typedef {{code: HTMLElement, text: string, language: string}} Block
 */

const codeSheet = sheet(css`
  .prose pre.coloured .icon-button { color: inherit; background: inherit; }
`);

/** Blocks to colour again when the page's theme changes. @type {Set<Block>} */
const blocks = new Set();

/** @type {ChatHost['highlight'] | undefined} */
let highlight;

/**
 * @param {Element} body  A complete answer.
 * @param {ChatHost} host
 */
export function colourCode(body, host) {
  if (!highlight) followTheme();
  // Prism and highlight.js guess at unknown languages or log a warning, so those are skipped.
  const { Prism, hljs } = /** @type {any} */ (window);
  highlight = host.highlight ?? (Prism?.highlightElement
    ? (code, language) => Prism.languages[language] && Prism.highlightElement(code)
    : hljs?.highlightElement && ((code, language) => hljs.getLanguage(language) && hljs.highlightElement(code)));
  adopt(/** @type {ShadowRoot} */ (host.shadowRoot), codeSheet);
  for (const code of /** @type {NodeListOf<HTMLElement>} */ (body.querySelectorAll('pre > code'))) {
    const block = { code, text: code.textContent ?? '', language: /^\S*/u.exec(code.dataset.language ?? '')?.[0] ?? '' };
    blocks.add(block);
    paint(block);
  }
}

/** Colours depend on the theme, so compute them again when it changes. */
function followTheme() {
  const repaint = () => blocks.forEach((block) => (block.code.isConnected ? paint(block) : blocks.delete(block)));
  const observer = new MutationObserver((changes) => { // The attribute `style` also contains the panel's width.
    if (changes.some(({ attributeName }) => attributeName !== 'style')) repaint();
  });
  for (const root of [document.documentElement, document.body]) observer.observe(root, { attributes: true });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
}

/**
 * Let the page colour an invisible copy of the code among its own, and take over the colours. If that fails, the code stays
 * plain.
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
    if (copy.textContent === text) applyColours(code, copy);
  } catch {
    // An error of the page's highlighter.
  } finally {
    frame.remove();
  }
}

/** @param {HTMLElement} code @param {HTMLElement} copy */
function applyColours(code, copy) {
  const background = backgroundOf(copy);
  const readable = (/** @type {string} */ color) => {
    const read = readColor(color);
    return read ? writeColor(ensureContrast(mix(background, read.rgb, read.alpha), background)) : color;
  };
  const plain = readable(getComputedStyle(copy).color);
  const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
  /** @type {HTMLElement[]} */
  const pieces = [];
  while (texts.nextNode()) {
    const { color, fontStyle, fontWeight } = getComputedStyle(/** @type {Element} */ (texts.currentNode.parentElement));
    const piece = h('span', {}, texts.currentNode.textContent);
    Object.assign(piece.style, { color: readable(color), fontStyle, fontWeight });
    const before = pieces.at(-1);
    if (before?.style.cssText === piece.style.cssText) before.append(...piece.childNodes);
    else pieces.push(piece);
  }
  const frame = /** @type {HTMLElement} */ (code.parentElement);
  frame.classList.add('coloured');
  Object.assign(frame.style, { color: plain, backgroundColor: writeColor(background) });
  code.replaceChildren(...pieces);
}

/**
 * Return the colour behind an element: the first opaque background, under the translucent ones in front of it.
 * @param {Element} element
 * @returns {Rgb}
 */
function backgroundOf(element) {
  const { rgb, alpha } = readColor(getComputedStyle(element).backgroundColor) ?? { rgb: [], alpha: 0 };
  if (alpha === 1) return rgb;
  const behind = element.parentElement ? backgroundOf(element.parentElement) : canvasColor();
  return alpha > 0 ? mix(behind, rgb, alpha) : behind;
}

/** Return the browser's default background, which follows the page's colour scheme. */
function canvasColor() {
  const probe = h('i');
  probe.style.backgroundColor = 'Canvas';
  document.body.append(probe);
  const read = readColor(getComputedStyle(probe).backgroundColor);
  probe.remove();
  return read?.rgb ?? [255, 255, 255];
}
