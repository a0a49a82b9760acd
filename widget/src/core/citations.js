/** @import {Citation, Claim, ResolvedId} from '../types.js' */

/** Further sources wait behind "Show more sources" (READ-2). */
export const VISIBLE_SOURCES = 3;

/** Return a citation's name: its section, or its page if the section has no name of its own. @param {Citation} citation */
export function nameOf({ title, section, page }) {
  return section && section !== page ? section : title;
}

/**
 * Return a citation's breadcrumbs, outermost first: its site (if several are served), module and chapter, then headings.
 * @param {Citation} citation
 */
export function trailOf(citation) {
  const { site, title, heading_path: headings = [] } = citation;
  const above = headings.filter((heading) => heading !== site && !title.endsWith(heading));
  return [site ?? '', title, ...above].filter((part) => part && part !== nameOf(citation));
}

/**
 * Group sources by type, in the order shown: the cited ones first, then those that only qualify.
 * @param {Citation[]} citations
 * @returns {{type: string, citations: Citation[]}[]}
 */
export function groupSources(citations) {
  /** @type {Map<string, Citation[]>} */
  const groups = new Map();
  for (const citation of citations) {
    const type = citation.n ? citation.source_type ?? 'page' : 'related';
    groups.set(type, [...(groups.get(type) ?? []), citation]);
  }
  return [...groups].map(([type, members]) => ({ type, citations: members }));
}

/** Return the name of a group of sources. @param {string} type @param {import('./i18n.js').Translate} t */
export function typeLabel(type, t) {
  return t(/** @type {import('./i18n.js').StringKey} */ (`type_${type}`)) || type;
}

/**
 * Return the cited words as their page shows them, in the order of the answer, which is the page's.
 * @param {Citation} citation
 * @param {Claim[]} [claims]  Of the answer; an older sidecar sends none.
 * @param {number} [marker]  Index of the citation marker among those of the answer. Without it, all claims that cite it count.
 */
export function citedWords({ n, excerpt }, claims = [], marker) {
  const citing = claims.filter((claim) => (
    marker === undefined ? claim.citations?.includes(n ?? 0) : claim.markers?.includes(marker)));
  const words = citing.flatMap(({ quote }) => quote || []);
  return words.length > 0 ? words : [excerpt ?? ''];
}

/**
 * Update stored citations with the current location of their IDs.
 * @param {Citation[]} citations
 * @param {Record<string, ResolvedId>} resolved
 * @returns {Citation[]}
 */
export function applyResolved(citations, resolved) {
  return citations.map((citation) => {
    const now = resolved[citation.stable_id ?? ''];
    if (!now) return citation;
    if (now.status === 'lost') return { ...citation, lost: true, url: now.nearest?.url };
    return { ...citation, lost: false, url: now.url ?? citation.url };
  });
}
