/**
 * The facts of docs, blog posts and standalone pages by route. Plugins are recognized by the shape of their content, so that a
 * site's wrapper around an official content plugin counts as well.
 */
/**
 * @import {DocMetadata, LoadedVersion} from '@docusaurus/plugin-content-docs'
 * @import {LoadedPlugin, RouteConfig, PluginRouteConfig} from '@docusaurus/types'
 *
 * @typedef {'doc' | 'category' | 'blog' | 'page' | 'list' | 'not_found' | 'other'} PageKind
 *   `category`: a generated index of docs. `list`: tags, archives and other lists of a content plugin.
 *   `other`: a page of a plugin whose content has none of the known shapes, such as generated API docs or a search page.
 *
 * @typedef {object} PageFacts
 * @property {string | null} plugin Name of the plugin that made the page.
 * @property {string | null} plugin_id Its instance.
 * @property {PageKind} kind
 * @property {string | null} doc_id The docs plugin's ID: folder and front matter `id`.
 * @property {string | null} version
 * @property {string | null} version_label
 * @property {boolean | null} is_last Whether the version is the default one.
 * @property {string | null} title
 * @property {string | null} description
 * @property {string[]} tags Labels.
 * @property {Record<string, unknown>} front_matter As the author wrote it.
 * @property {string | null} source Path of the source below the site's folder, with forward slashes.
 * @property {boolean | null} translated False: the page shows the default locale's text. Null: not known.
 * @property {boolean} unlisted
 *
 * @typedef {{plugin: {name: string, id: string}, component: string}} RouteOwner
 * @typedef {Pick<DocMetadata, 'permalink'> & Partial<DocMetadata>} ContentItem A doc; or a blog post's metadata or a Markdown
 *   page, which have some of its fields.
 */

/** @type {PageFacts} */
const UNKNOWN = {
  plugin: null,
  plugin_id: null,
  kind: 'other',
  doc_id: null,
  version: null,
  version_label: null,
  is_last: null,
  title: null,
  description: null,
  tags: [],
  front_matter: {},
  source: null,
  translated: null,
  unlisted: false,
};

/** Docusaurus's alias for the site's folder in the path of a source. */
const SITE_ALIAS = /^@site\//;

const CATEGORY_COMPONENT = '@theme/DocCategoryGeneratedIndexPage';

/** Return a route without its trailing slash, which the permalink of the same page may lack. @param {string} route */
export function routeKey(route) {
  return route.length > 1 ? route.replace(/\/$/, '') : route;
}

/**
 * @param {object} site
 * @param {LoadedPlugin[]} site.plugins
 * @param {PluginRouteConfig[]} site.routes
 * @param {string[]} site.routesPaths
 * @param {string | null} site.translations Folder, below the site's, of this locale's translations; null in the default locale.
 * @returns {Map<string, PageFacts>} Facts of every route, by `routeKey`.
 */
export function contentPages({ plugins, routes, routesPaths, translations }) {
  const entries = plugins.flatMap((plugin) => pluginPages(plugin, translations));
  const known = new Map(entries);
  const authors = new Set(entries.map(([, facts]) => `${facts.plugin}/${facts.plugin_id}`));
  /** The plugin and the component of each route. @type {Map<string, RouteOwner>} */
  const owners = new Map();
  /** @param {RouteConfig} route @param {RouteOwner['plugin']} plugin */
  const visit = (route, plugin) => {
    owners.set(routeKey(route.path), { plugin, component: route.component });
    route.routes?.forEach((child) => visit(child, plugin));
  };
  routes.forEach((route) => visit(route, route.plugin));
  return new Map(
    routesPaths.map((route) => {
      const key = routeKey(route);
      return [key, known.get(key) ?? generatedPage(route, owners.get(key), authors)];
    }),
  );
}

/**
 * Return the facts of a page that has no source of its own.
 * @param {string} route
 * @param {RouteOwner | undefined} owner
 * @param {Set<string>} authors Plugins that also made pages from sources.
 * @returns {PageFacts}
 */
function generatedPage(route, owner, authors) {
  if (route.endsWith('/404.html')) {
    return { ...UNKNOWN, kind: 'not_found' };
  }
  if (!owner) {
    return UNKNOWN;
  }
  const { name, id } = owner.plugin;
  const kind = owner.component === CATEGORY_COMPONENT ? 'category' : authors.has(`${name}/${id}`) ? 'list' : 'other';
  return { ...UNKNOWN, plugin: name, plugin_id: id, kind };
}

/** @param {LoadedPlugin} plugin @param {string | null} translations @returns {[string, PageFacts][]} By `routeKey`. */
function pluginPages(plugin, translations) {
  const content = /** @type {any} */ (plugin.content);
  /** @param {ContentItem} item @param {Partial<PageFacts>} facts @returns {[string, PageFacts]} */
  const page = (item, facts) => {
    const source = item.source?.replace(SITE_ALIAS, '') ?? null;
    return [routeKey(item.permalink), {
      ...UNKNOWN,
      plugin: plugin.name,
      plugin_id: plugin.options.id,
      title: item.title ?? null,
      description: item.description ?? null,
      tags: (item.tags ?? []).map(({ label }) => label),
      front_matter: item.frontMatter ?? {},
      source,
      // A React page is translated by its strings, so its path does not show a translation.
      translated: translations === null || (source && /\.mdx?$/i.test(source) ? source.startsWith(`${translations}/`) : null),
      unlisted: item.unlisted ?? false,
      ...facts,
    }];
  };
  if (Array.isArray(content?.loadedVersions)) {
    return content.loadedVersions.flatMap((/** @type {LoadedVersion} */ { versionName: version, label, isLast, docs }) =>
      docs.map((doc) => page(doc, { kind: 'doc', doc_id: doc.id, version, version_label: label, is_last: isLast })),
    );
  }
  if (Array.isArray(content?.blogPosts)) {
    return content.blogPosts.map((/** @type {{metadata: ContentItem}} */ { metadata }) => page(metadata, { kind: 'blog' }));
  }
  if (Array.isArray(content)) {
    return content
      .filter((item) => (item?.type === 'mdx' || item?.type === 'jsx') && typeof item.permalink === 'string')
      .map((item) => page(item, { kind: 'page' }));
  }
  return [];
}
