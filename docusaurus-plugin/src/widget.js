/** The chat's HTML tags and files. */
import { cp } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @import {HtmlTagObject, LoadContext} from '@docusaurus/types'
 * @import {PluginOptions} from './index.js'
 */

/** The folder of the index and the widget, below the site's root. */
export const PINCITE_FOLDER = 'pincite';

const LOADER = 'pincite.js';

/** The widget in this package. */
export const WIDGET_DIR = fileURLToPath(new URL('../widget/', import.meta.url));

/**
 * Return the tags that add the chat to every page of one locale.
 * @param {Pick<LoadContext, 'baseUrl' | 'i18n' | 'siteConfig' | 'siteStorage'>} context
 * @param {Pick<PluginOptions, 'siteTitle' | 'shortcut' | 'contact' | 'searchUrl'>
 *   & Partial<Pick<PluginOptions, 'strings' | 'icon' | 'position' | 'consent' | 'hideLauncherOn' | 'llms' | 'search'
 *   | 'browserAnswers' | 'embedder' | 'send'>>} options
 * @param {object} served
 * @param {string | false} served.api Address of the sidecar; empty for the site's origin, false without a sidecar.
 * @param {string} [served.buildId] Missing in `docusaurus start`.
 * @returns {{headTags: HtmlTagObject[], postBodyTags: string[]}}
 */
export function widgetTags(context, options, { api, buildId }) {
  const { baseUrl, i18n, siteConfig, siteStorage } = context;
  /** @type {Record<string, string | undefined>} */
  const attributes = {
    api: api ? api.replace(/\/+$/, '') || undefined : undefined,
    // The site's base path, not the locale's, so that all languages share the reader's history.
    'base-url': i18n.localeConfigs[i18n.defaultLocale]?.baseUrl ?? baseUrl,
    'build-id': buildId,
    'site-title': options.siteTitle ?? siteConfig.title,
    lang: i18n.localeConfigs[i18n.currentLocale]?.htmlLang ?? i18n.currentLocale,
    shortcut: options.shortcut,
    contact: options.contact,
    'search-url': options.searchUrl,
    strings: jsonUnlessEmpty(options.strings),
    icon: options.icon,
    position: options.position,
    consent: options.consent?.text,
    'consent-url': options.consent?.url,
    'data-no-launcher-on': jsonUnlessEmpty(options.hideLauncherOn),
    // Only a build writes the files of Markdown, search, answers and encoder.
    markdown: options.llms && buildId ? '' : undefined,
    search: options.search && buildId ? '' : undefined,
    // `only`: there is no sidecar. Empty: answer in the browser if the sidecar cannot be reached.
    answers: api === false ? 'only' : options.browserAnswers && buildId ? '' : undefined,
    embedder: options.embedder === 'browser' && buildId ? 'browser' : undefined,
    send: options.send === 'embedding' && buildId ? 'embedding' : undefined,
    // Separates the storage of sites on the same origin.
    'storage-suffix': siteStorage.namespace,
  };
  // As text, because Docusaurus 3.8 accepts no tag objects for custom elements.
  const written = Object.entries(attributes).flatMap(([name, value]) => {
    const escaped = value?.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
    return value === undefined ? [] : [` ${name}="${escaped}"`];
  });
  const src = `${baseUrl}${PINCITE_FOLDER}/${LOADER}`;
  return {
    headTags: [{ tagName: 'script', attributes: { type: 'module', src } }],
    // Outside React's root, so that navigation keeps it.
    postBodyTags: [`<pincite-chat${written.join('')}></pincite-chat>`],
  };
}

/** Copy the widget's files beside the pages, unless the indexer has done so. @param {string} outDir */
export async function provideWidget(outDir) {
  const target = join(outDir, PINCITE_FOLDER);
  if (!existsSync(join(target, LOADER))) {
    await cp(WIDGET_DIR, target, { recursive: true });
  }
}

/** @param {object} [value] */
function jsonUnlessEmpty(value = {}) {
  return Object.keys(value).length > 0 ? JSON.stringify(value) : undefined;
}
