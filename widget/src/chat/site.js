/** Headings offered as questions in an empty conversation. */
const SUGGESTIONS = 3;

/** Docusaurus's own name for docs that are in no release yet, and for all docs of a site without versions. */
const UNRELEASED = 'current';

/** A heading longer than this makes no good button. */
const MAX_HEADING_CHARACTERS = 60;

/**
 * What the widget's attributes say about the site.
 * @param {HTMLElement} host
 * @param {string} theDocs  What the site is called when it has no title.
 */
export function readSettings(host, theDocs) {
  const attribute = (/** @type {string} */ name) => host.getAttribute(name) ?? '';
  const baseUrl = attribute('base-url') || '/';
  return {
    api: attribute('api'),
    baseUrl,
    buildId: attribute('build-id') || undefined,
    site: attribute('site-title') || theDocs,
    contact: attribute('contact') || null,
    searchUrl: attribute('search-url') || null,
    storagePrefix: `pincite:${baseUrl}${attribute('storage-suffix')}`,
  };
}

/**
 * The version and locale of the page the reader is on, as far as the page tells.
 * @param {import('../types.js').ChatHost} host
 * @returns {import('../types.js').Scope}
 */
export function readScope(host) {
  const version = meta('docusaurus_version') ?? meta('docsearch:version');
  const locale = meta('docusaurus_locale') ?? (document.documentElement.lang || undefined);
  const scope = { version, locale, ...host.context?.() };
  return Object.fromEntries(Object.entries(scope).filter(([, value]) => value));
}

/**
 * A scope as readers know it: by the page's version badge, which only sites with several versions have.
 * @param {import('../types.js').Scope} scope
 * @returns {import('../types.js').AnsweredScope}
 */
export function nameScope({ version, locale }) {
  const badge = document.querySelector('.theme-doc-version-badge')?.textContent;
  return { version_label: badge ?? (version === UNRELEASED ? '' : version), locale };
}

/**
 * Second-level headings of the page, as openings for a conversation about it.
 * @returns {string[]}
 */
export function pageHeadings() {
  const headings = [...document.querySelectorAll('article h2, main h2')].map((heading) => (
    (heading.textContent ?? '').replace(/[\u200B#¶]/gu, '').trim()));
  const fitting = headings.filter((text) => text && text.length <= MAX_HEADING_CHARACTERS);
  return [...new Set(fitting)].slice(0, SUGGESTIONS);
}

/** @param {string} name */
function meta(name) {
  const element = /** @type {HTMLMetaElement | null} */ (document.querySelector(`meta[name="${name}"]`));
  return element?.content || undefined;
}
