/**
 * Creates the manifest: Docusaurus's facts about a built site, for the indexer's standard input. It reads no files;
 * the indexer reads text and anchors from the built HTML.
 */
import { posix, relative } from 'node:path';
import { createMatcher, posixPath } from '@docusaurus/utils';
import { contentPages, routeKey } from './content.js';

/**
 * @import {Props, RouteBuildMetadata} from '@docusaurus/types'
 * @import {PageFacts} from './content.js'
 *
 * @typedef {Props & {routesBuildMetadata: {[route: string]: RouteBuildMetadata}}} PostBuildProps
 * @typedef {PageFacts & {route: string, html: string, no_index: boolean}} ManifestPage
 * @typedef {object} Manifest
 * @property {number} manifest_version
 * @property {string} build_id The ID of this build, which all its pages share.
 * @property {string} site_dir Folder of the sources, absolute.
 * @property {string} out_dir Folder of this locale's HTML, absolute. The default locale's also holds the other locales'.
 * @property {string} url Origin, such as `https://docs.example.com`.
 * @property {string} base_url This locale's base path, with both slashes.
 * @property {boolean | null} trailing_slash Null if the host decides.
 * @property {string} title
 * @property {string} locale
 * @property {string} default_locale
 * @property {string[]} locales
 * @property {Record<string, string>} locale_urls The absolute URL of each locale's home page. A locale may have its own base
 *   path or origin.
 * @property {boolean} no_index The site asks search engines not to index it.
 * @property {ManifestPage[]} pages Every page of this locale, in route order.
 */

/** Increased when a field changes its meaning. The indexer refuses unknown versions. */
const MANIFEST_VERSION = 1;

/**
 * Return the file of a route, relative to the output folder, with forward slashes.
 * @param {string} route With the base URL, not percent-encoded.
 * @param {{baseUrl: string, trailingSlash: boolean | undefined}} site
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
 * @param {PostBuildProps} props The argument of Docusaurus's `postBuild`.
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
    pages: manifestPages(props, createMatcher(include), createMatcher(exclude)),
  };
}

/** @param {Pick<PostBuildProps, 'i18n' | 'siteConfig'>} props @returns {Record<string, string>} */
export function localeUrls({ i18n, siteConfig }) {
  const urls = i18n.locales.flatMap((locale) => {
    const { url = siteConfig.url, baseUrl } = i18n.localeConfigs[locale] ?? {};
    return baseUrl ? [[locale, new URL(baseUrl, url).href]] : [];
  });
  return Object.fromEntries(urls);
}

/**
 * @param {PostBuildProps} props
 * @param {(path: string) => boolean} included
 * @param {(path: string) => boolean} excluded
 * @returns {ManifestPage[]}
 */
function manifestPages(props, included, excluded) {
  const { baseUrl, i18n, plugins, routes, routesPaths, siteConfig, routesBuildMetadata } = props;
  // The default locale has no translations.
  const isDefault = i18n.currentLocale === i18n.defaultLocale;
  const translations = isDefault ? null : posixPath(relative(props.siteDir, props.localizationDir));
  const facts = contentPages({ plugins, routes, routesPaths, translations });
  return [...new Set(routesPaths)]
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

/** @param {string} route @param {string} baseUrl */
function withoutBaseUrl(route, baseUrl) {
  return route.startsWith(baseUrl) ? `/${route.slice(baseUrl.length)}` : route;
}
