/** Navigates to cited words and highlights them. */
import { CITED, clearCitation, installStyles, TARGET } from '../chat/highlight.js';
import { fragmentOf, isInSite, pageOf } from '../core/links.js';
import { rememberLanding, takeLanding } from '../core/pending-landing.js';
import { css } from '../styles/css.js';
import { findPassage } from './passage.js';
import { delay, hidingAncestors, reveal, waitUntil } from './reveal.js';
import { elementOf, scrollIntoSight } from './view.js';

/**
 * @import {ChatHost, Landing} from '../types.js'
 * @import {Passage} from './passage.js'
 */

/** A router has this long to render the target. */
const ARRIVAL_MS = 5000;

/**
 * A page may hydrate, unfold and scroll for this many checks after the landing. Counted in checks, since a slow device makes
 * fewer of them while it is busy.
 */
const CHECKS = 40;

/** A check counts this much while the page loads: its scripts may be still to come. */
const LOADING_CHECK = 0.1;

/** Time between two checks, in milliseconds. */
const CHECK_MS = 80;

/** Smaller moves are invisible, in pixels. */
const TOLERANCE = 2;

/** After one of these events, the landing no longer scrolls. */
const READER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate'];

const citedStyles = css`
  ::highlight(pincite-cited) { background-color: light-dark(#ffe58a, #6b5410); color: light-dark(#1c1e21, #fff); }
  [data-pincite-target=passage]:focus { outline: none; }
  [data-pincite-target=element] { outline: 2px solid light-dark(#b07d00, #ffd75e); outline-offset: 4px; border-radius: 3px; }
  @media (forced-colors: active) {
    ::highlight(pincite-cited) { background-color: Mark; color: MarkText; }
    [data-pincite-target=element] { outline-color: Highlight; }
  }
`;

/** Aborts the newest landing. */
let latest = new AbortController();

/**
 * Navigate to a place and land on it. Without a router the browser loads the page, and the landing continues there.
 * @param {object} options
 * @param {string} options.url  Absolute.
 * @param {string[]} options.words  The cited words, if any.
 * @param {string} options.baseUrl  The site's base path.
 * @param {ChatHost['navigate']} options.navigate
 * @param {(landing: Landing) => Promise<void>} options.arrive  Called when the page is the right one.
 */
export async function travel({ url, words, baseUrl, navigate, arrive }) {
  const landing = { page: pageOf(url), anchor: fragmentOf(url), words, at: Date.now() };
  if (landing.page === pageOf(location.href)) history.pushState(history.state, '', url);
  else {
    rememberLanding(landing); // A router also loads the page if a deploy removed its script.
    if (!isInSite(url, { pageUrl: location.href, baseUrl }) || !await navigate?.(url)) return location.assign(url);
    takeLanding(landing.page, landing.at);
  }
  await arrive(landing);
}

/**
 * Wait for the cited words, open the elements that hide them, highlight them, scroll to them and focus their heading. Repeat it
 * while the page moves or replaces them, until the reader acts.
 * @param {Landing} landing
 * @param {(place: Element | Passage) => void} uncover  Keeps a place clear of the panel.
 * @returns {Promise<void>} Resolves when the landing is over. A page without the target stays at its top.
 */
export async function land({ anchor, words }, uncover) {
  latest.abort();
  const landing = latest = new AbortController();
  const { signal } = landing;
  await waitUntil(() => findTarget(anchor), ARRIVAL_MS);
  /** The element in view; null at first. @type {Element | null} */
  let target = null;
  /** @type {Passage | null} */
  let passage = null;

  const place = () => /** @type {Element | Passage} */ (passage ?? target);
  // Hydration may replace the elements, and close a tab that was clicked before its script was loaded.
  const isShown = () => target?.isConnected
    && (!passage || (passage.isWhole() && hidingAncestors(elementOf(target, passage)).length === 0));
  const top = () => place()?.getBoundingClientRect().top;

  async function show() {
    const found = findTarget(anchor);
    if (!found) return;
    await reveal(found);
    const cited = findPassage(found, words);
    const element = elementOf(found, cited);
    await reveal(element);
    if (signal.aborted || !element.isConnected) return; // The reader acted, or the page replaced the element, meanwhile.
    clearCitation();
    installStyles(citedStyles);
    const canHighlight = cited !== null && !!globalThis.CSS?.highlights;
    if (canHighlight) CSS.highlights.set(CITED, new Highlight(...cited.ranges));
    found.setAttribute(TARGET, canHighlight ? 'passage' : 'element');
    document.addEventListener('pointerdown', clearCitation, { once: true }); // The highlight stays until then.
    if (found !== target && !isFieldFocused()) moveFocus(found); // Keeps the focus of a reader who started to type.
    target = found;
    passage = cited;
    bringIntoView();
  }

  function bringIntoView() {
    scrollIntoSight(/** @type {Element} */ (target), passage);
    uncover(place());
  }

  // A reader who scrolls before the arrival still expects the landing.
  for (const type of READER_EVENTS) addEventListener(type, () => { if (target) landing.abort(); }, { signal, capture: true });
  const page = pageOf(location.href);
  let expected = 0;
  for (let left = CHECKS; left > 0 && !signal.aborted && pageOf(location.href) === page;) {
    if (!isShown()) await show();
    else if (Math.abs(top() - expected) > TOLERANCE) bringIntoView();
    expected = top();
    await delay(CHECK_MS);
    left -= document.readyState === 'complete' ? 1 : LOADING_CHECK;
  }
  landing.abort();
}

/**
 * @param {string} anchor  Empty for a citation of a whole page, whose target is its main heading.
 * @returns {Element | null}
 */
function findTarget(anchor) {
  if (!anchor) return document.querySelector('main h1, article h1, h1');
  return document.getElementById(anchor) ?? document.querySelector(`a[name="${CSS.escape(anchor)}"]`);
}

/** Return whether a text field has the focus, also in a shadow tree. */
function isFieldFocused() {
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
