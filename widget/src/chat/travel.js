import { fragmentOf, isInSite, pageOf } from '../core/links.js';
import { rememberLanding, takeLanding } from '../core/pending-landing.js';

/** @typedef {import('../types.js').Landing} Landing */

/**
 * What lands on the page, loaded when there is something to land on: most who open the chat follow no citation at once.
 * @returns {Promise<typeof import('../landing/land.js') | null>} Null when it cannot be had; a link is then what the browser makes of it.
 */
export const loadLanding = () => import('../landing/land.js').catch(() => null);

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
 * @param {string[]} options.words  What is cited there.
 * @param {string} options.baseUrl  The site's base path.
 * @param {import('../types.js').ChatHost['navigate']} options.navigate
 * @param {(landing: Landing) => Promise<void>} options.arrive  Called when the page is the right one.
 */
export async function travel({ url, words, baseUrl, navigate, arrive }) {
  const landing = { page: pageOf(url), anchor: fragmentOf(url), words, at: Date.now() };
  const onThisPage = landing.page === pageOf(location.href);
  if (!await loadLanding()) return location.assign(url);
  if (onThisPage) history.pushState(history.state, '', url);
  else {
    rememberLanding(landing); // A router that lacks a part of the page, since a deploy took it away, loads the page as well.
    if (!isInSite(url, { pageUrl: location.href, baseUrl }) || !await navigate?.(url)) return location.assign(url);
    takeLanding(landing.page, landing.at);
  }
  await arrive(landing);
}
