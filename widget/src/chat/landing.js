import { fragmentOf, isInSite, pageOf } from '../core/links.js';
import { rememberLanding } from '../core/pending-landing.js';
import { highlightCitation } from './highlight.js';
import { findPassage } from './passage.js';
import { nextFrame, reveal } from './reveal.js';

/**
 * @typedef {import('../types.js').Landing} Landing
 */

/** How long a router may take to put the target on the page. */
const ARRIVAL_MS = 5000;

/**
 * Whether a click asks for what links do elsewhere (a new tab, a download), which is left to the browser.
 * @param {MouseEvent} event
 */
export function isModifiedClick(event) {
  return event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}

/**
 * Go to a citation within the site and land on it. Without a router the browser loads the page, and the landing
 * continues there.
 * @param {object} options
 * @param {string} options.url  Absolute.
 * @param {string} options.excerpt
 * @param {string} options.baseUrl  The site's base path.
 * @param {import('../types.js').ChatHost['navigate']} options.navigate
 * @param {(landing: Landing) => Promise<void>} options.arrive  Called when the page is the right one.
 */
export async function travel({ url, excerpt, baseUrl, navigate, arrive }) {
  const landing = { page: pageOf(url), anchor: fragmentOf(url), excerpt, at: Date.now() };
  const onThisPage = landing.page === pageOf(location.href);
  if (onThisPage) history.pushState(history.state, '', url);
  else if (!isInSite(url, { pageUrl: location.href, baseUrl }) || !await navigate?.(url)) {
    rememberLanding(landing);
    location.assign(url);
    return;
  }
  await arrive(landing);
}

/**
 * Open what hides the target, bring it into view, highlight the cited words and move the focus there.
 * @param {Landing} landing
 * @returns {Promise<Element | Range | null>} The cited words, or the target where they are not found; null when the page has
 *   no such target; it is then left at its top.
 */
export async function land({ anchor, excerpt }) {
  const target = await arrival(anchor);
  if (!target) return null;
  await reveal(target);
  bringIntoView(target);
  const passage = findPassage(target, excerpt);
  highlightCitation(target, passage);
  moveFocus(target);
  await nextFrame();
  bringIntoView(target); // The site's router scrolls too, after the page has changed.
  return passage ?? target;
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

/** @param {Element} target */
function bringIntoView(target) {
  // A scroll margin says where the site wants its targets; without one a sticky header might cover the top.
  const style = getComputedStyle(target);
  const root = getComputedStyle(document.documentElement);
  const known = parseFloat(style.scrollMarginTop) > 0 || parseFloat(root.scrollPaddingTop) > 0;
  target.scrollIntoView({ block: known ? 'start' : 'center', behavior: 'instant' });
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
