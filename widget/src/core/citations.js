/**
 * @typedef {import('../types.js').Citation} Citation
 */

/** More than this many sources wait behind "Show more sources" (chat specification). */
export const VISIBLE_SOURCES = 3;

/**
 * Where a citation stands: its heading path without the title itself.
 * @param {Citation} citation
 * @returns {string[]} Outermost first.
 */
export function trail(citation) {
  const parts = citation.heading_path ?? [citation.page ?? '', citation.section ?? ''];
  return parts.filter((part, index) => part && part !== citation.title && parts.indexOf(part) === index);
}

/**
 * Sources in the order shown: those the answer uses, by type, then those that only qualify.
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

/**
 * @param {Citation[]} citations  Those the answer does not use have no number.
 * @param {number} n
 * @returns {Citation | undefined}
 */
export function citationNumbered(citations, n) {
  return citations.find((citation) => citation.n === n);
}

/**
 * Bring stored citations up to date with what the sidecar says their ids are now.
 * @param {Citation[]} citations
 * @param {Record<string, import('../types.js').ResolvedId>} resolved
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
