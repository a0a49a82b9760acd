import { readScope } from '../chat/site.js';
import { cut } from './cut.js';
import { chooseScopes, fetcherOf, loadManifest, primary, remembered } from './files.js';
import { byPage } from './page-groups.js';
import { rank } from './rank.js';
import { openShard } from './shard.js';

/**
 * @typedef {import('./rank.js').Hit} Hit
 * @typedef {{pages: Hit[][], forms: Set<string>}} Found  Sections by page; best first.
 */

/**
 * Searches the static files beside the widget, which are loaded when it is first asked.
 * @param {import('../types.js').ChatHost} host  Its attribute `search` names the folder, where that is another.
 */
export function createFinder(host) {
  const folder = new URL(host.getAttribute('search') || new URL('search/', import.meta.url).href, document.baseURI);
  const fetched = fetcherOf(folder);
  const load = async (/** @type {string} */ file) => (await fetched(file)).json();
  const manifestOf = remembered(loadManifest);
  const shardOf = remembered((/** @type {import('./shard.js').ScopeEntry} */ entry) => openShard(entry, load));

  async function open() {
    const known = await manifestOf(load);
    const entries = chooseScopes(known, { ...readScope(host), path: location.pathname });
    const language = primary(entries[0]?.locale ?? known.default_locale);
    const small = (known.small_words[language] ?? '').split(' ').filter(Boolean);
    return { shards: await Promise.all(entries.map(shardOf)), language, small };
  }

  return {
    /** Load what any search needs. */
    open,
    /** @param {string} text @returns {Promise<Found>} */
    async find(text) {
      const within = await open();
      const { hits, forms } = await rank(cut(text, within.language, within.small), within.shards);
      return { pages: byPage(hits), forms };
    },
  };
}
