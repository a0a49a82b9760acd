/**
 * The manifest: what Docusaurus knows of the site it has just built, as the indexer takes it on standard input.
 *
 * Nothing here reads a file; the indexer takes text and anchors from the built HTML itself.
 */
import { posix, relative } from 'node:path';
import { createMatcher, posixPath } from '@docusaurus/utils';
import { contentPages, routeKey } from './content.js';

/**
 * @import {Props, RouteBuildMetadata} from '@docusaurus/types'
 * @import {PageFacts} from './content.js'
 */

/**
 * @typedef {Props & {routesBuildMetadata: {[route: string]: RouteBuildMetadata}}} PostBuildProps
 * @typedef {PageFacts & {route: string, html: string, no_index: boolean}} ManifestPage
 * @typedef {object} Manifest
 * @property {number} manifest_version
 * @property {string} build_id Names this build; every page of it carries the same.
 * @property {string} site_dir Folder of the sources, absolute.
 * @property {string} out_dir Folder of this locale's HTML, absolute. The default locale's also holds the other locales'.
 * @property {string} url Origin, such as `https://docs.example.com`.
 * @property {string} base_url This locale's base path, with both slashes.
 * @property {boolean | null} trailing_slash Null when the site leaves it to the host.
 * @property {string} title
 * @property {string} locale
 * @property {string} default_locale
 * @property {string[]} locales
 * @property {Record<string, string>} locale_urls The home page of each locale, as a whole URL: `localeConfigs` may give
 *   locales a base path or an origin of their own.
 * @property {boolean} no_index The whole site asks search engines to stay away.
 * @property {ManifestPage[]} pages Every page of this locale, in route order.
 */

/** Raised when a field changes its meaning; the indexer refuses versions it does not know. */
export const MANIFEST_VERSION = 1;

/**
 * The file, relative to the output folder, that Docusaurus writes for a route.
 *
 * @param {string} route With the base URL, not percent-encoded.
 * @param {{baseUrl: string, trailingSlash: boolean | undefined}} site
 * @returns {string} With forward slashes, not percent-encoded.
 */
export function htmlFile(route, { baseUrl, trailingSlash }) {
  const path = withoutBaseUrl(route, baseUrl).replace(/^\//, '');
  if (/\.html?$/i.test(path)) {
    return path;
  }
  if (trailingSlash === false && path !== '' && !path.endsWith('/')) {
    return `${path}.html`;
  }
  return posix.join(path, 'index.html');
}

/**
 * @param {PostBuildProps} props What Docusaurus hands to `postBuild`.
 * @param {{buildId: string, include: string[], exclude: string[]}} settings
 * @returns {Manifest}
 */
export function buildManifest(props, { buildId, include, exclude }) {
  const { siteConfig, i18n, baseUrl, siteDir, outDir } = props;
  return {
    manifest_version: MANIFEST_VERSION,
    build_id: buildId,
    site_dir: siteDir,
    out_dir: outDir,
    url: siteConfig.url,
    base_url: baseUrl,
    trailing_slash: siteConfig.trailingSlash ?? null,
    title: siteConfig.title,
    locale: i18n.currentLocale,
    default_locale: i18n.defaultLocale,
    locales: i18n.locales,
    locale_urls: localeUrls(props),
    no_index: siteConfig.noIndex,
    pages: manifestPages(props, { include, exclude }),
  };
}

/**
 * @param {Pick<PostBuildProps, 'i18n' | 'siteConfig'>} props
 * @returns {Record<string, string>}
 */
export function localeUrls({ i18n, siteConfig }) {
  const urls = i18n.locales.flatMap((locale) => {
    const { url = siteConfig.url, baseUrl } = i18n.localeConfigs[locale] ?? {};
    return baseUrl ? [[locale, new URL(baseUrl, url).href]] : [];
  });
  return Object.fromEntries(urls);
}

/**
 * @param {PostBuildProps} props
 * @param {{include: string[], exclude: string[]}} globs
 * @returns {ManifestPage[]}
 */
function manifestPages(props, { include, exclude }) {
  const { baseUrl, siteConfig, routesBuildMetadata } = props;
  const included = createMatcher(include);
  const excluded = createMatcher(exclude);
  const facts = contentPages({
    plugins: props.plugins,
    routes: props.routes,
    routesPaths: props.routesPaths,
    translations: translationsFolder(props),
  });
  return [...new Set(props.routesPaths)]
    .filter((route) => {
      const path = withoutBaseUrl(route, baseUrl);
      return included(path) && !excluded(path);
    })
    .sort()
    .map((route) => ({
      route,
      html: htmlFile(route, { baseUrl, trailingSlash: siteConfig.trailingSlash }),
      .../** @type {PageFacts} */ (facts.get(routeKey(route))),
      no_index: routesBuildMetadata[route]?.noIndex ?? false,
    }));
}

/**
 * The folder under the site that holds this locale's translations; null in the language the site is written in.
 *
 * @param {PostBuildProps} props
 */
function translationsFolder({ i18n, localizationDir, siteDir }) {
  return i18n.currentLocale === i18n.defaultLocale ? null : posixPath(relative(siteDir, localizationDir));
}

/** @param {string} route @param {string} baseUrl */
function withoutBaseUrl(route, baseUrl) {
  return route.startsWith(baseUrl) ? `/${route.slice(baseUrl.length)}` : route;
}
