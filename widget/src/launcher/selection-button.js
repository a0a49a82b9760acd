import { cleanSelectionText, isLongEnough } from '../core/selection-text.js';
import { h } from '../dom.js';
import { ASK_ABOUT_THIS, customStrings } from './labels.js';

/** @import {CapturedSelection, PageSelection} from '../types.js' */

/** Long enough for a drag to end, short enough to feel immediate. */
const SETTLE_MS = 200;

/** Distance from the passage, in pixels. */
const GAP = 8;

/**
 * Create a small button beside the text that the reader selects. It follows selections by mouse, keyboard and touch, takes
 * no focus and covers no selected text.
 * @param {object} options
 * @param {HTMLElement} options.host  Selections inside this element are ignored.
 * @param {ShadowRoot} options.root
 * @param {string} options.language
 * @param {AbortSignal} options.signal  Removes the listeners.
 * @param {(selection: CapturedSelection) => void} options.onAsk
 * @returns {PageSelection}
 */
export function createSelectionButton({ host, root, language, signal, onAsk }) {
  const button = h('button', { class: 'floating ask-this', part: 'ask-this', type: 'button', hidden: true,
    onpointerdown: (/** @type {Event} */ event) => event.preventDefault() }, // Keeps the selection.
  customStrings(host).askAboutThis ?? ASK_ABOUT_THIS[language]);
  root.querySelector('.launcher')?.after(button);
  /** @type {CapturedSelection | null} */
  let captured = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @returns {CapturedSelection | null} */
  const live = () => {
    const selection = document.getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
    const range = selection.getRangeAt(0).cloneRange();
    const text = cleanSelectionText(selection.toString());
    if (!text || host.contains(range.commonAncestorContainer)) return null;
    return captured = { text, range, page_url: location.pathname, captured_at: new Date().toISOString() };
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const selection = live();
      button.hidden = !selection || !isLongEnough(selection.text);
      if (selection) placeBeside(button, selection.range);
    }, SETTLE_MS);
  };
  const follow = () => {
    if (captured && !button.hidden) placeBeside(button, captured.range);
  };

  document.addEventListener('selectionchange', schedule, { signal });
  document.addEventListener('scroll', follow, { signal, passive: true, capture: true });
  window.addEventListener('resize', follow, { signal });
  button.addEventListener('click', () => {
    button.hidden = true;
    if (captured) onAsk(captured);
  }, { signal });
  schedule(); // The text may be selected already.

  return { live, last: () => live() ?? captured };
}

/**
 * Place the button below the last line, since phones show their menu above the selection. Without room, place it above.
 * @param {HTMLElement} button
 * @param {Range} range
 */
function placeBeside(button, range) {
  const lines = range.getClientRects();
  if (!lines[0]) return;
  const { bottom, right } = lines[lines.length - 1];
  const height = button.offsetHeight + GAP;
  const width = button.offsetWidth;
  const top = bottom + height < innerHeight ? bottom : Math.min(lines[0].top, innerHeight) - height - GAP;
  button.style.top = `${Math.max(0, top) + GAP}px`;
  button.style.left = `${Math.max(GAP, Math.min(right - width / 2, innerWidth - width - GAP))}px`;
}
