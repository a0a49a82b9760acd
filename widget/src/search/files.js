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

/**
 * The scopes that are searched, as the server chooses them: the page's language; of the plugins that have the version, that one, of
 * others the last; all that is unversioned.
 * @param {Manifest} manifest
 * @param {import('../types.js').Scope} place
 * @returns {ScopeEntry[]}
 */
export function chooseScopes({ scopes, default_locale: fallback }, { version, locale = '' }) {
  const has = (/** @type {(own: string) => boolean} */ is) => scopes.find((scope) => is(scope.locale))?.locale;
  const matching = has((own) => own === locale) ?? has((own) => primary(own) === primary(locale)) ?? fallback;
  const here = scopes.filter((scope) => scope.locale === matching);
  const isAsked = (/** @type {ScopeEntry} */ scope) => !!version && [scope.version, scope.version_label].includes(version);
  const bound = new Set(here.filter(isAsked).map(({ plugin }) => plugin));
  return here.filter((scope) => scope.version === null || (bound.has(scope.plugin) ? isAsked(scope) : scope.is_last));
}
