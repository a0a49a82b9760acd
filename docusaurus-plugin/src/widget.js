/** The chat on the page: its tags, and the files behind them. */
import { cp } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * @import {HtmlTagObject, LoadContext} from '@docusaurus/types'
 * @import {PluginOptions} from './index.js'
 */

/** Folder below the site's root that holds the index and the widget. */
export const PINCITE_FOLDER = 'pincite';

const LOADER = 'pincite.js';

/** The widget as it came with this package. */
export const WIDGET_DIR = fileURLToPath(new URL('../widget/', import.meta.url));

/**
 * The tags that put the chat on every page of one locale.
 *
 * @param {Pick<LoadContext, 'baseUrl' | 'i18n' | 'siteConfig' | 'siteStorage'>} context
 * @param {Pick<PluginOptions, 'siteTitle' | 'shortcut' | 'contact' | 'searchUrl'>
 *   & Partial<Pick<PluginOptions, 'strings' | 'icon' | 'position' | 'consent' | 'hideLauncherOn' | 'llms' | 'search'
 *   | 'browserAnswers' | 'embedder' | 'send'>>} options
 * @param {object} served
 * @param {string | false} served.api Address of the sidecar; empty for the site's own, false where there is none.
 * @param {string} [served.buildId] Missing where no build makes the page, as in `docusaurus start`.
 * @returns {{headTags: HtmlTagObject[], postBodyTags: string[]}}
 */
export function widgetTags(context, options, { api, buildId }) {
  const { baseUrl, i18n, siteConfig, siteStorage } = context;
  const attributes = {
    api: api ? api.replace(/\/+$/, '') || undefined : undefined,
    // The site's base path, not the locale's: readers keep their history when they change the language.
    'base-url': i18n.localeConfigs[i18n.defaultLocale]?.baseUrl ?? baseUrl,
    'build-id': buildId,
    'site-title': options.siteTitle ?? siteConfig.title,
    lang: i18n.localeConfigs[i18n.currentLocale]?.htmlLang ?? i18n.currentLocale,
    shortcut: options.shortcut,
    contact: options.contact,
    'search-url': options.searchUrl,
    strings: writtenUnlessEmpty(options.strings),
    icon: options.icon,
    position: options.position,
    consent: options.consent?.text,
    'consent-url': options.consent?.url,
    'data-no-launcher-on': writtenUnlessEmpty(options.hideLauncherOn),
    // Only a build writes the Markdown of its pages.
    markdown: options.llms && buildId ? '' : undefined,
    // Nor is there anything to search before.
    search: options.search && buildId ? '' : undefined,
    answers: answersAttribute(api, options.browserAnswers && !!buildId),
    embedder: options.embedder === 'browser' && buildId ? 'browser' : undefined,
    send: options.send === 'embedding' && buildId ? 'embedding' : undefined,
    // Sites that share an origin keep their storage apart by this.
    'storage-suffix': siteStorage.namespace,
  };
  const src = `${baseUrl}${PINCITE_FOLDER}/${LOADER}`;
  return {
    headTags: [{ tagName: 'script', attributes: { type: 'module', src } }],
    // Outside React's root, so that it stays through navigation.
    postBodyTags: [customElement('pincite-chat', attributes)],
  };
}

/**
 * @param {string | false} api
 * @param {boolean | undefined} fromFiles Whether there are files to answer from when the sidecar cannot be reached.
 */
function answersAttribute(api, fromFiles) {
  if (api === false) return 'only';
  return fromFiles ? '' : undefined;
}

/**
 * Put the widget's files beside the pages, where the indexer has not done so already.
 *
 * @param {string} outDir
 * @returns {Promise<void>}
 */
export async function provideWidget(outDir) {
  const target = join(outDir, PINCITE_FOLDER);
  if (!existsSync(join(target, LOADER))) {
    await cp(WIDGET_DIR, target, { recursive: true });
  }
}

/**
 * The HTML of an element with the attributes that are set. As text, because Docusaurus 3.8 takes no tag objects
 * for custom elements.
 *
 * @param {string} name
 * @param {Record<string, string | undefined>} attributes
 */
function customElement(name, attributes) {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeAttribute(value)}"`],
  );
  return `<${name}${written.join('')}></${name}>`;
}

/** @param {object} [value] */
function writtenUnlessEmpty(value = {}) {
  return Object.keys(value).length > 0 ? JSON.stringify(value) : undefined;
}

/** @param {string} value */
function escapeAttribute(value) {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
