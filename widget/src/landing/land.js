import { highlightCitation } from './cited.js';
import { findPassage } from './passage.js';
import { hidersOf, nextFrame, reveal } from './reveal.js';
import { showInView } from './view.js';

export { travel } from './travel.js';

/**
 * @typedef {import('../types.js').Landing} Landing
 * @typedef {import('./passage.js').Passage} Passage
 */

/** How long a router may take to put the target on the page. */
const ARRIVAL_MS = 5000;

/** How long a page may go on moving its contents: it hydrates, loads images, unfolds what was opened, scrolls by itself. */
const SETTLE_MS = 3000;

/** How often it is looked at meanwhile. */
const LOOK_MS = 80;

/** Moves that nobody sees, in pixels. */
const TOLERANCE = 2;

/** What a reader does to look elsewhere. */
const READER_ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

/**
 * Open what hides the cited words, highlight them, bring them into view and move the focus to their heading.
 * @param {Landing} landing
 * @param {(place: Element | Passage) => void} makeRoom  Keeps a place clear of the panel.
 * @returns {Promise<void>} Resolves when they are shown, though the page may still move; a page that has no such target is left
 *   at its top.
 */
export async function land({ anchor, words }, makeRoom) {
  const target = await arrival(anchor);
  if (!target) return;
  await reveal(target);
  const passage = await show(target, words, makeRoom);
  if (!inField()) moveFocus(target); // Who began to type meanwhile goes on.
  keepInView(target, passage, words, makeRoom);
}

/**
 * @param {Element} target
 * @param {string[]} words
 * @param {(place: Element | Passage) => void} makeRoom
 */
async function show(target, words, makeRoom) {
  const passage = findPassage(target, words);
  if (passage) await reveal(partOf(passage));
  highlightCitation(target, passage);
  place(target, passage, makeRoom);
  return passage;
}

/** @param {Passage} passage */
const partOf = ({ ranges: [first] }) => /** @type {Element} */ (first.startContainer.parentElement);

/**
 * @param {Element} target
 * @param {Passage | null} passage
 * @param {(place: Element | Passage) => void} makeRoom
 */
function place(target, passage, makeRoom) {
  showInView(target, passage);
  makeRoom(passage ?? target);
}

/**
 * Bring the words back while the page still moves, find them again where it is drawn anew and open again what was closed,
 * until the reader acts.
 * @param {Element} target
 * @param {Passage | null} passage
 * @param {string[]} words
 * @param {(place: Element | Passage) => void} makeRoom
 */
async function keepInView(target, passage, words, makeRoom) {
  const acted = new AbortController();
  for (const type of READER_ACTS) addEventListener(type, () => acted.abort(), { signal: acted.signal, capture: true });
  const top = () => (passage ?? target).getBoundingClientRect().top;
  const end = performance.now() + SETTLE_MS;
  let expected = top();
  while (performance.now() < end) {
    await nextFrame(LOOK_MS);
    if (acted.signal.aborted || !target.isConnected) break;
    // A tab that was clicked before the site's script was there is closed still.
    if (passage && (!passage.isWhole() || hidersOf(partOf(passage)).length > 0)) passage = await show(target, words, makeRoom);
    else if (Math.abs(top() - expected) > TOLERANCE) place(target, passage, makeRoom);
    expected = top();
  }
  acted.abort();
}

/**
 * @param {string} anchor
 * @returns {Promise<Element | null>} The page's main heading for a citation of a whole page.
 */
async function arrival(anchor) {
  const find = () => (anchor ? byAnchor(anchor) : document.querySelector('main h1, article h1, h1'));
  const deadline = performance.now() + ARRIVAL_MS;
  while (!find() && performance.now() < deadline) await nextFrame();
  return find();
}

/** @param {string} anchor */
function byAnchor(anchor) {
  return document.getElementById(anchor) ?? document.querySelector(`a[name="${CSS.escape(anchor)}"]`);
}

/** Whether a field has the focus, in a shadow tree as well. */
function inField() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.matches('input, textarea, [contenteditable]');
}

/** @param {Element} target */
function moveFocus(target) {
  const element = /** @type {HTMLElement} */ (target);
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.setAttribute('tabindex', '-1');
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}
