import { fragmentOf, isInSite, pageOf } from '../core/links.js';
import { rememberLanding, takeLanding } from '../core/pending-landing.js';

/** @typedef {import('../types.js').Landing} Landing */

/**
 * Go to a place within the site and land on it. Without a router the browser loads the page, and the landing
 * continues there.
 * @param {object} options
 * @param {string} options.url  Absolute.
 * @param {string[]} options.words  What is cited there, if anything.
 * @param {string} options.baseUrl  The site's base path.
 * @param {import('../types.js').ChatHost['navigate']} options.navigate
 * @param {(landing: Landing) => Promise<void>} options.arrive  Called when the page is the right one.
 */
export async function travel({ url, words, baseUrl, navigate, arrive }) {
  const landing = { page: pageOf(url), anchor: fragmentOf(url), words, at: Date.now() };
  const onThisPage = landing.page === pageOf(location.href);
  if (onThisPage) history.pushState(history.state, '', url);
  else {
    rememberLanding(landing); // A router that lacks a part of the page, since a deploy took it away, loads the page as well.
    if (!isInSite(url, { pageUrl: location.href, baseUrl }) || !await navigate?.(url)) return location.assign(url);
    takeLanding(landing.page, landing.at);
  }
  await arrive(landing);
}
