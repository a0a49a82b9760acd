/**
 * Return the absolute URL of a link, or null unless it is http(s) (`javascript:` and `data:` are unsafe).
 * @param {string} url
 * @param {string} base  The page's URL.
 */
export function safeUrl(url, base) {
  if (!url || !URL.canParse(url, base)) return null;
  const parsed = new URL(url, base);
  return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : null;
}

/**
 * Return the absolute URL of a link within an answer, or null if it leaves the page's origin.
 * @param {string} url
 * @param {string} base  The page's URL.
 */
export function sameOriginUrl(url, base) {
  const safe = safeUrl(url, base);
  return safe && new URL(safe).origin === new URL(base).origin ? safe : null;
}

/**
 * Return whether a URL belongs to this site, so that the site's router can handle it.
 * @param {string} url  Absolute.
 * @param {{pageUrl: string, baseUrl: string}} site  The page's URL and the site's base path.
 */
export function isInSite(url, { pageUrl, baseUrl }) {
  const target = new URL(url);
  return target.origin === new URL(pageUrl).origin && target.pathname.startsWith(baseUrl);
}

/** Return a URL without its fragment and trailing slash. Hosts add or remove that slash. @param {string} url  Absolute. */
export function pageOf(url) {
  return url.replace(/\/?(#.*)?$/u, '');
}

/** Return a URL's fragment, decoded as browsers do; '' if it has none. @param {string} url  Absolute. */
export function fragmentOf(url) {
  const fragment = new URL(url).hash.slice(1);
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Return whether a click opens a link elsewhere (a new tab, a download), which the browser handles. @param {MouseEvent} event */
export function isModifiedClick(event) {
  return event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}
