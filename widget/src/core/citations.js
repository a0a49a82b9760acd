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
  const path = citation.heading_path ?? [citation.page ?? '', citation.section ?? ''];
  const parts = Array.isArray(path) ? path : path.split(' > ');
  return parts.filter((part, index) => part && part !== citation.title && parts.indexOf(part) === index);
}

/**
 * Sources in the order shown, grouped by type once there is more than one type.
 * Numbers stay those of the answer, whatever group they stand in.
 * @param {Citation[]} citations
 * @returns {{type: string, citations: Citation[]}[]}
 */
export function groupBySourceType(citations) {
  /** @type {Map<string, Citation[]>} */
  const groups = new Map();
  for (const citation of citations) {
    const type = citation.source_type ?? 'page';
    groups.set(type, [...(groups.get(type) ?? []), citation]);
  }
  return [...groups].map(([type, members]) => ({ type, citations: members }));
}

/**
 * @param {Citation[]} citations
 * @param {number} n
 * @returns {Citation | undefined}
 */
export function citationNumbered(citations, n) {
  return citations.find((citation, index) => (citation.n ?? index + 1) === n);
}

/**
 * Bring stored citations up to date with what the sidecar says their ids are now.
 * @param {Citation[]} citations
 * @param {Record<string, {url?: string, title?: string, status: string, nearest?: {url?: string}}>} resolved
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
