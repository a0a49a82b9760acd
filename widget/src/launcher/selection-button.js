import { cleanSelectionText, isLongEnough } from '../core/selection-text.js';
import { h } from '../dom.js';
import { ASK_ABOUT_THIS } from './labels.js';
import { ownStrings } from './own-strings.js';

/** Long enough for a drag to settle, short enough to feel immediate. */
const SETTLE_MS = 200;

/** Distance from the passage, in pixels, so that it stays readable. */
const GAP = 8;

/**
 * A small button beside the passage the reader highlights. It follows mouse, keyboard and touch selections alike, takes
 * no focus and covers nothing that is selected.
 * @param {object} options
 * @param {HTMLElement} options.host  Selections inside it are its own business.
 * @param {ShadowRoot} options.root
 * @param {string} options.language
 * @param {AbortSignal} options.signal  Ends it.
 * @param {(selection: import('../types.js').CapturedSelection) => void} options.onAsk
 * @returns {import('../types.js').PageSelection}
 */
export function createSelectionButton({ host, root, language, signal, onAsk }) {
  const button = h('button', { class: 'floating ask-this', part: 'ask-this', type: 'button', hidden: true,
    onpointerdown: (/** @type {Event} */ event) => event.preventDefault() }, // The selection stays.
  ownStrings(host).askAboutThis ?? ASK_ABOUT_THIS[language]);
  root.querySelector('.launcher')?.after(button);
  /** @type {import('../types.js').CapturedSelection | null} */
  let captured = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const look = () => {
    const live = capture(host);
    captured = live ?? captured;
    return live;
  };
  const settle = () => {
    const live = look();
    button.hidden = !live || !isLongEnough(live.text);
    if (live) place(button, live.range);
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(settle, SETTLE_MS);
  };
  const follow = () => {
    if (captured && !button.hidden) place(button, captured.range);
  };

  document.addEventListener('selectionchange', schedule, { signal });
  document.addEventListener('scroll', follow, { signal, passive: true, capture: true });
  window.addEventListener('resize', follow, { signal });
  button.addEventListener('click', () => {
    button.hidden = true;
    if (captured) onAsk(captured);
  }, { signal });
  schedule(); // What is highlighted already.

  return { live: look, last: () => look() ?? captured };
}

/**
 * @param {HTMLElement} host
 * @returns {import('../types.js').CapturedSelection | null}
 */
function capture(host) {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const text = cleanSelectionText(selection.toString());
  if (!text || host.contains(range.commonAncestorContainer)) return null;
  return { text, range, page_url: location.pathname, captured_at: new Date().toISOString() };
}

/**
 * Below the passage's last line, since phones show their own menu above it; above its first where the window ends before.
 * @param {HTMLElement} button
 * @param {Range} range
 */
function place(button, range) {
  const lines = range.getClientRects();
  if (!lines[0]) return;
  const { bottom, right } = lines[lines.length - 1];
  const height = button.offsetHeight + GAP;
  const width = button.offsetWidth;
  const top = bottom + height < innerHeight ? bottom : Math.min(lines[0].top, innerHeight) - height - GAP;
  button.style.top = `${Math.max(0, top) + GAP}px`;
  button.style.left = `${Math.max(GAP, Math.min(right - width / 2, innerWidth - width - GAP))}px`;
}
