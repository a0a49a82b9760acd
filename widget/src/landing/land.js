import { pageOf } from '../core/links.js';
import { highlightCitation } from './cited.js';
import { findPassage } from './passage.js';
import { hidersOf, nextFrame, reveal, until } from './reveal.js';
import { partOf, showInView } from './view.js';

export { travel } from './travel.js';

/**
 * @typedef {import('../types.js').Landing} Landing
 * @typedef {import('./passage.js').Passage} Passage
 */

/** How long a router may take to put the target on the page. */
const ARRIVAL_MS = 5000;

/**
 * How long a page may go on moving its contents: it hydrates, unfolds what was opened, scrolls by itself. Counted in looks, since a
 * slow device comes to fewer of them while it is busy.
 */
const LOOKS = 40;

/** What a look counts while the page loads still: the script that brings it to life may be to come. */
const UNLOADED = 0.1;

/** How often it is looked at, in milliseconds. */
const LOOK_MS = 80;

/** Moves that nobody sees, in pixels. */
const TOLERANCE = 2;

/** What a reader does to look elsewhere. */
const READER_ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate'];

/** Ends the newest landing. */
let latest = new AbortController();

/**
 * Go to the cited words once the page has them, and stay with them while it moves.
 * @param {Landing} landing
 * @param {(place: Element | Passage) => void} makeRoom  Keeps a place clear of the panel.
 * @returns {Promise<void>} Resolves when the page is left alone; one that has no such target is left at its top.
 */
export async function land(landing, makeRoom) {
  latest.abort();
  latest = new AbortController();
  await until(() => find(landing.anchor), ARRIVAL_MS);
  await keepInView(landing, makeRoom, latest);
}

/**
 * Open what hides the cited words, highlight them, bring them into view and move the focus to their heading; bring them back while
 * the page still moves, and do it all again where they are drawn anew or closed, until the reader acts.
 * @param {Landing} landing
 * @param {(place: Element | Passage) => void} makeRoom
 * @param {AbortController} end
 */
async function keepInView({ anchor, words }, makeRoom, end) {
  const { signal } = end;
  /** @type {Element | null} What is in view; null at first. */
  let target = null;
  /** @type {Passage | null} */
  let passage = null;

  const place = () => /** @type {Element | Passage} */ (passage ?? target);
  // A page that hydrates may replace what it came with; a tab that was clicked before its script was there is closed still.
  const isShown = () => target?.isConnected && (!passage || (passage.isWhole() && hidersOf(partOf(target, passage)).length === 0));
  const top = () => place()?.getBoundingClientRect().top;

  async function show() {
    const found = find(anchor);
    if (!found) return;
    await reveal(found);
    const cited = findPassage(found, words);
    const part = partOf(found, cited);
    await reveal(part);
    if (signal.aborted || !part.isConnected) return; // The reader turned away, or the page drew it anew, while it was opened.
    highlightCitation(found, cited);
    if (found !== target && !inField()) moveFocus(found); // Who began to type meanwhile goes on.
    target = found;
    passage = cited;
    bringIntoView();
  }

  function bringIntoView() {
    showInView(/** @type {Element} */ (target), passage);
    makeRoom(place());
  }

  // Whoever scrolls before they are there still wants to get there.
  for (const type of READER_ACTS) addEventListener(type, () => { if (target) end.abort(); }, { signal, capture: true });
  const page = pageOf(location.href);
  let expected = 0;
  for (let left = LOOKS; left > 0 && !signal.aborted && pageOf(location.href) === page; left -= document.readyState === 'complete' ? 1 : UNLOADED) {
    if (!isShown()) await show();
    else if (Math.abs(top() - expected) > TOLERANCE) bringIntoView();
    expected = top();
    await nextFrame(LOOK_MS);
  }
  end.abort();
}

/**
 * @param {string} anchor
 * @returns {Element | null} The page's main heading for a citation of a whole page.
 */
function find(anchor) {
  if (!anchor) return document.querySelector('main h1, article h1, h1');
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
