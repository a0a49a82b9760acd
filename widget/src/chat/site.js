/** Reads the site's settings, and the version and language of the page. */

/** @import {AnsweredScope, ChatHost, Scope} from '../types.js' */

/** Docusaurus's name for unreleased docs, and for all docs of a site without versions. */
const UNRELEASED = 'current';

/** @param {HTMLElement} host @param {string} theDocs  The name of a site without a title. */
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

/** @typedef {ReturnType<typeof readSettings>} Settings */

/** Return the version and locale of the page, if the page declares them. @param {ChatHost} host @returns {Scope} */
export function readScope(host) {
  const meta = (/** @type {string} */ name) => (
    /** @type {HTMLMetaElement | null} */ (document.querySelector(`meta[name="${name}"]`))?.content || undefined);
  const version = meta('docusaurus_version') ?? meta('docsearch:version');
  const locale = meta('docusaurus_locale') ?? (document.documentElement.lang || undefined);
  const scope = { version, locale, ...host.context?.() };
  return Object.fromEntries(Object.entries(scope).filter(([, value]) => value));
}

/**
 * Return a scope with the page's version badge as label. A page without translations has no locale.
 * @param {Scope} scope
 * @returns {AnsweredScope}
 */
export function nameScope({ version, locale }) {
  const badge = document.querySelector('.theme-doc-version-badge')?.textContent;
  const links = /** @type {HTMLLinkElement[]} */ ([...document.querySelectorAll('link[rel=alternate][hreflang]')]);
  const languages = new Set(links.map(({ hreflang }) => hreflang).filter((name) => name !== 'x-default'));
  return { version_label: badge ?? (version === UNRELEASED ? '' : version), locale: languages.size > 1 ? locale : undefined };
}

/**
 * Return a scope as text, in the reader's language. Codes that name no language are left out.
 * @param {AnsweredScope | undefined} scope
 * @param {string} language
 */
export function scopeText(scope, language) {
  let name;
  try {
    name = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(scope?.locale ?? '');
  } catch {
    // The site's own name of a locale is no BCP 47 tag.
  }
  return [scope?.version_label ?? scope?.version, name].filter(Boolean).join(' · ');
}
