/** The static files that a site answers from, and what they say beside answers: questions of a page, where stable ids live. */
import { answer, localeOf, questionOf } from './answer.js';
import { openLibrary } from './library.js';
import { pathOf } from './page-path.js';
import { parseQuery } from './query.js';

/**
 * @typedef {import('./types.js').Embedded} Embedded
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('../types.js').ChatRequest} ChatRequest
 * @typedef {import('../types.js').Scope} Scope
 * @typedef {(text: string) => Promise<Embedded | null>} Embed  Null: words alone are looked for.
 */

/**
 * Nothing is fetched before the first call.
 * @param {URL} folder  `search/` of the index folder, with a slash at its end.
 */
export function createSiteFiles(folder) {
  /** @type {Map<string, Promise<Library>>} */
  const libraries = new Map();
  /** @param {string} file */
  async function fetched(file) {
    const response = await fetch(new URL(file, folder));
    if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
    return response;
  }
  const load = (/** @type {string} */ file) => fetched(file).then((response) => response.json());
  const loadBytes = (/** @type {string} */ file) => fetched(file).then((response) => response.arrayBuffer());

  /** @param {Scope} place @returns {Promise<Library>} */
  async function open(place) {
    const [library, { built_at }] = await Promise.all([openLibrary({ load, loadBytes, place }), load('../index.json').catch(() => ({}))]);
    return { ...library, manifest: { ...library.manifest, built_at } };
  }

  /** @param {Scope} place */
  function libraryOf(place) {
    const key = JSON.stringify([place.version, place.locale]);
    const opening = libraries.get(key) ?? open(place);
    libraries.set(key, opening);
    opening.catch(() => libraries.delete(key));
    return opening;
  }

  return {
    /**
     * @param {ChatRequest} request
     * @param {Embed} embed
     * @returns {Promise<import('./types.js').Reply>}
     */
    async answer(request, embed) {
      const ofPage = await libraryOf(request.scope ?? {});
      const locale = await localeOf(ofPage, request);
      const library = locale ? await libraryOf({ ...request.scope, locale }) : ofPage;
      const { text } = parseQuery(library, await questionOf(library, request));
      const embedded = await embed(text);
      const { query, passage } = library.facts.prompts;
      const isOneForBoth = embedded && query === passage; // What embeds is made for questions.
      return answer(library, request, embedded, isOneForBoth ? (texts) => vectorsOf(texts, embed) : undefined);
    },

    /**
     * @param {string} pageUrl
     * @param {Scope} scope
     * @returns {Promise<string[]>}
     */
    async questions(pageUrl, scope) {
      const { shards } = await libraryOf(scope);
      const files = shards.flatMap(({ entry }) => entry.questions ?? []);
      const found = await Promise.all(files.map(load));
      const offers = found.flatMap((byPage) => Object.entries(byPage));
      return offers.find(([url]) => pathOf(url) === pathOf(pageUrl))?.[1] ?? [];
    },

    /**
     * @param {string[]} ids
     * @param {Scope} scope
     * @returns {Promise<Record<string, import('../types.js').ResolvedId>>}
     */
    async resolve(ids, scope) {
      return resolved(ids, scope, await load('../ids.json'));
    },
  };
}

/** @typedef {ReturnType<typeof createSiteFiles>} SiteFiles */

/**
 * @param {string[]} texts
 * @param {Embed} embed
 */
async function vectorsOf(texts, embed) {
  const vectors = [];
  for (const text of texts) vectors.push(/** @type {Embedded} */ (await embed(text)).vector);
  return vectors;
}

/**
 * @typedef {{id: string, url: string, locale: string, version: string | null, title: string}} NamedPlace
 * @typedef {{ids: NamedPlace[], aliases: {from: string, to: string}[]}} IdsFile
 */

/**
 * Where stable ids live now; one that moved is followed, and of several places that bear one, that of the page's version and
 * language is taken.
 * @param {string[]} ids
 * @param {Scope} scope
 * @param {IdsFile} file
 * @returns {Record<string, import('../types.js').ResolvedId>}
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

/**
 * An id and those that it became, in order.
 * @param {string} id
 * @param {Map<string, string>} aliases
 */
function chain(id, aliases) {
  const names = [id];
  for (let next = aliases.get(id); next && !names.includes(next); next = aliases.get(next)) names.push(next);
  return names;
}
