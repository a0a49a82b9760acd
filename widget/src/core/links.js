/**
 * A URL that may become a link: http(s) or relative to the page. Everything else (`javascript:`, `data:`) is null.
 * @param {string} url
 * @param {string} base  The page's own URL.
 * @returns {string | null} The absolute URL.
 */
export function safeUrl(url, base) {
  if (!url || !URL.canParse(url, base)) return null;
  const parsed = new URL(url, base);
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : null;
}

/**
 * A URL that an answer may link to: one of the page's own origin. Any other is only text, whoever wrote it.
 * @param {string} url
 * @param {string} base  The page's own URL.
 * @returns {string | null} The absolute URL.
 */
export function ownUrl(url, base) {
  const safe = safeUrl(url, base);
  return safe && new URL(safe).origin === new URL(base).origin ? safe : null;
}

/**
 * Whether a URL belongs to this site, so that the site's own router may take it.
 * @param {string} url  Absolute.
 * @param {{pageUrl: string, baseUrl: string}} site  The page's URL and the site's base path.
 */
export function isInSite(url, { pageUrl, baseUrl }) {
  const target = new URL(url);
  return target.origin === new URL(pageUrl).origin && target.pathname.startsWith(baseUrl);
}

/**
 * A page's own URL. Hosts add or drop the slash at its end, so it does not count.
 * @param {string} url  Absolute.
 */
export function pageOf(url) {
  return url.replace(/\/?(#.*)?$/u, '');
}

/**
 * The id a URL points at, decoded as a browser would.
 * @param {string} url  Absolute.
 * @returns {string} Empty when there is none.
 */
export function fragmentOf(url) {
  const fragment = new URL(url).hash.slice(1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/**
 * Whether a click asks for what links do elsewhere (a new tab, a download), which is left to the browser.
 * @param {MouseEvent} event
 */
export function isModifiedClick(event) {
  return event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}
