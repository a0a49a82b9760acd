/** @typedef {import('./shard.js').ScopeEntry} ScopeEntry */

/**
 * @typedef {object} Manifest
 * @property {number} format
 * @property {string} default_locale
 * @property {ScopeEntry[]} scopes
 * @property {Record<string, string>} small_words  By primary language, separated by blanks.
 */

/** The format that is read here (`browser_bundle/files.py`). */
const FORMAT = 3;

/** @param {(file: string) => Promise<any>} load @returns {Promise<Manifest>} */
export async function loadManifest(load) {
  const manifest = await load('manifest.json');
  if (manifest.format !== FORMAT) throw new Error(`search/manifest.json has format ${manifest.format}, and this chat reads ${FORMAT}: index the site with the version of Pincite that made this chat.`);
  return manifest;
}

/** Fetches files of a folder. @param {URL} folder @returns {(file: string) => Promise<Response>} */
export const fetcherOf = (folder) => async (file) => {
  const response = await fetch(new URL(file, folder));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response;
};

/**
 * The result of a function for each key, computed once; a failed promise is forgotten.
 * @template K, V
 * @param {(key: K) => V} compute
 * @param {{get(key: K): V | undefined, set(key: K, value: V): unknown, delete(key: K): unknown}} [known]
 * @returns {(key: K) => V}
 */
export function remembered(compute, known = new Map()) {
  return (key) => {
    const found = known.get(key) ?? compute(key);
    known.set(key, found);
    if (found instanceof Promise) found.catch(() => known.delete(key));
    return found;
  };
}

/** @param {string} tag  BCP 47. */
export const primary = (tag) => tag.toLowerCase().split(/[-_]/u)[0];

/** @typedef {import('../types.js').Scope & {path?: string}} Place  A scope, and the path of the reader's page or its version's folder. */

/**
 * Return the scopes to search, as the server chooses them: in the page's language, the page's version of the plugins that have it,
 * the last version of the others, and all unversioned pages.
 * @param {Manifest} manifest
 * @param {Place} place
 * @returns {ScopeEntry[]}
 */
export function chooseScopes(manifest, place) {
  const bound = boundScopes(manifest, place);
  const plugins = new Set(bound.map(({ plugin }) => plugin));
  return inLocale(manifest, place).filter((scope) => (
    scope.version === null || (plugins.has(scope.plugin) ? bound.includes(scope) : scope.is_last)));
}

/**
 * Return the scopes of the version that the place asks for, by name or label, or else of the version whose folder the page is in.
 * @param {Manifest} manifest
 * @param {Place} place
 */
export function boundScopes(manifest, place) {
  const here = inLocale(manifest, place);
  const named = here.filter(({ version, version_label: label }) => !!place.version && [version, label].includes(place.version));
  if (named.length > 0) return named;
  const folder = folderAt(here, place.path);
  const found = here.find(({ folders = [] }) => folders.includes(folder));
  return here.filter(({ plugin, version }) => found && plugin === found.plugin && version === found.version);
}

/** The longest folder of a version with this path, or an empty text. @param {ScopeEntry[]} scopes @param {string} [path] */
export function folderAt(scopes, path = '') {
  const around = scopes.flatMap(({ folders = [] }) => folders).filter((folder) => `${path}/`.startsWith(folder));
  return around.reduce((best, folder) => (folder.length > best.length ? folder : best), '');
}

/** The scopes in the place's language, or else in the site's. @param {Manifest} manifest @param {Place} place */
function inLocale({ scopes, default_locale: fallback }, { locale = '' }) {
  const has = (/** @type {(own: string) => boolean} */ is) => scopes.find((scope) => is(scope.locale))?.locale;
  const matching = has((own) => own === locale) ?? has((own) => primary(own) === primary(locale)) ?? fallback;
  return scopes.filter((scope) => scope.locale === matching);
}
