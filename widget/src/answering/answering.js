/*! Includes wink-porter2-stemmer (c) GRAYPE Systems; MIT licence. */
import { fetcherOf, folderAt, loadManifest, remembered } from '../search/files.js';
import { answer, localeOf, questionOf } from './answer.js';
import { pathOf } from './replies.js';
import { openLibrary } from './library.js';
import { parseQuery } from './query.js';
/** @import {ChatRequest, ResolvedId, Scope} from '../types.js' */
/** @import {Embedded, Library, Reply} from './types.js' */

/** What the chat loads to answer from a site's static files: answers, the questions of a page, and the places of stable ids. */

export { answer, localeOf, questionOf } from './answer.js';
export { openLibrary } from './library.js';
export { parseQuery } from './query.js';
export { search } from './ranking.js';

/** @typedef {(text: string) => Promise<Embedded | null>} Embed  Null searches by words alone. */
/** @typedef {ReturnType<typeof createSiteFiles>} SiteFiles */
/** @typedef {{id: string, url: string, locale: string, version: string | null, title: string}} NamedPlace */

/** Nothing is fetched before the first call. @param {URL} folder  `search/` of the index folder, with a slash at its end. */
export function createSiteFiles(folder) {
  const fetched = fetcherOf(folder);
  const load = async (/** @type {string} */ file) => (await fetched(file)).json();
  const loadBytes = async (/** @type {string} */ file) => (await fetched(file)).arrayBuffer();
  const opened = remembered(async (/** @type {string} */ key) => {
    const place = JSON.parse(key);
    const [library, { built_at }] = await Promise.all([openLibrary({ load, loadBytes, place }), load('../index.json').catch(() => ({}))]);
    return /** @type {Library} */ ({ ...library, manifest: { ...library.manifest, built_at } });
  });
  const manifestOf = remembered(loadManifest);
  /** The pages of a version share one library. @param {Scope} scope @param {string} [pageUrl] */
  async function libraryOf({ version, locale }, pageUrl) {
    const { scopes } = await manifestOf(load);
    return opened(JSON.stringify({ version, locale, path: folderAt(scopes, pageUrl) }));
  }

  return {
    /** @param {ChatRequest} request @param {Embed} embed @returns {Promise<Reply>} */
    async answer(request, embed) {
      const ofPage = await libraryOf(request.scope ?? {}, request.page_url);
      const locale = await localeOf(ofPage, request);
      const library = locale ? await libraryOf({ ...request.scope, locale }, request.page_url) : ofPage;
      const { text } = parseQuery(library, await questionOf(library, request));
      const embedded = await embed(text);
      const { query, passage } = library.facts.prompts;
      const isOneForBoth = embedded && query === passage; // The encoder takes questions; a model may have another prompt for passages.
      return answer(library, request, embedded, isOneForBoth ? (texts) => vectorsOf(texts, embed) : undefined);
    },

    /** @param {string} pageUrl @param {Scope} scope @returns {Promise<string[]>} */
    async questions(pageUrl, scope) {
      const { shards } = await libraryOf(scope, pageUrl);
      const found = await Promise.all(shards.flatMap(({ entry }) => entry.questions ?? []).map(load));
      return found.flatMap((byPage) => Object.entries(byPage)).find(([url]) => pathOf(url) === pathOf(pageUrl))?.[1] ?? [];
    },

    /** @param {string[]} ids @param {Scope} scope @returns {Promise<Record<string, ResolvedId>>} */
    async resolve(ids, scope) {
      return resolved(ids, scope, await load('../ids.json'));
    },
  };
}

/** @param {string[]} texts @param {Embed} embed */
async function vectorsOf(texts, embed) {
  const vectors = [];
  for (const text of texts) vectors.push(/** @type {Embedded} */ (await embed(text)).vector);
  return vectors;
}

/**
 * The places of stable ids; one that moved is followed. Of several places, the one in the page's language and version is taken.
 * @type {(ids: string[], scope: Scope, file: {ids: NamedPlace[], aliases: {from: string, to: string}[]}) => Record<string, ResolvedId>}
 */
export function resolved(ids, { version, locale }, file) {
  const aliases = new Map(file.aliases.map(({ from, to }) => [from, to]));
  const wanted = new Set(ids.flatMap((id) => chain(id, aliases)));
  const places = file.ids.filter(({ id }) => wanted.has(id));
  const fit = (/** @type {NamedPlace} */ place) => 2 * Number(place.locale === locale) + Number(place.version === (version ?? null));
  return Object.fromEntries(ids.map((id) => {
    const found = chain(id, aliases).map((name) => places.filter((place) => place.id === name)).find(({ length }) => length > 0);
    if (!found) return [id, { status: 'lost' }];
    const { url, title, id: name } = found.reduce((best, place) => (fit(place) > fit(best) ? place : best));
    return [id, { status: name === id ? 'current' : 'moved', url, title }];
  }));
}

/** An id and those that it became, in order. @param {string} id @param {Map<string, string>} aliases */
function chain(id, aliases) {
  const names = [id];
  for (let next = aliases.get(id); next && !names.includes(next); next = aliases.get(next)) names.push(next);
  return names;
}
