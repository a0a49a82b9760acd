/** Docusaurus's own name for docs that are in no release yet, and for all docs of a site without versions. */
const UNRELEASED = 'current';

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
    consent: attribute('consent'),
    consentUrl: attribute('consent-url'),
    markdown: host.hasAttribute('markdown'),
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
 * A scope as readers know it: by the page's version badge and its translations, which not every site has.
 * @param {import('../types.js').Scope} scope
 * @returns {import('../types.js').AnsweredScope}
 */
export function nameScope({ version, locale }) {
  const badge = document.querySelector('.theme-doc-version-badge')?.textContent;
  return { version_label: badge ?? (version === UNRELEASED ? '' : version), locale: isTranslated() ? locale : undefined };
}

/** Whether the page is there in several languages; where it is in one, to name that says nothing. */
function isTranslated() {
  const links = /** @type {HTMLLinkElement[]} */ ([...document.querySelectorAll('link[rel=alternate][hreflang]')]);
  return new Set(links.map(({ hreflang }) => hreflang).filter((name) => name !== 'x-default')).size > 1;
}

/** @param {string} name */
function meta(name) {
  const element = /** @type {HTMLMetaElement | null} */ (document.querySelector(`meta[name="${name}"]`));
  return element?.content || undefined;
}
