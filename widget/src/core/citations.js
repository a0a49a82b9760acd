/**
 * @typedef {import('../types.js').Citation} Citation
 */

/** More than this many sources wait behind "Show more sources" (READ-2). */
export const VISIBLE_SOURCES = 3;

/**
 * What a citation is called: its section, which tells several citations of one page apart, else its page.
 * @param {Citation} citation
 * @returns {string}
 */
export function nameOf({ title, section, page }) {
  return section && section !== page ? section : title;
}

/**
 * Where it stands: its site where several are asked, module and chapter, then the headings above it.
 * @param {Citation} citation
 * @returns {string[]} Outermost first.
 */
export function trailOf(citation) {
  const { site, title, heading_path: headings = [] } = citation;
  const above = headings.filter((heading) => heading !== site && !title.endsWith(heading));
  return [site ?? '', title, ...above].filter((part) => part && part !== nameOf(citation));
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
 * What a group of sources is called; an unknown type by its own name.
 * @param {string} type
 * @param {import('./i18n.js').Translate} t
 * @returns {string}
 */
export function typeLabel(type, t) {
  return t(/** @type {import('./i18n.js').StringKey} */ (`type_${type}`)) || type;
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
 * The cited words as their page shows them, for the landing.
 * @param {Citation} citation
 * @param {import('../types.js').Claim[] | undefined} claims  Of the answer; an older sidecar sends none.
 * @param {number} [marker]  The place of the marker followed among all of the answer; without one, all that cites it.
 * @returns {string[]} In the order of the answer, which is the page's.
 */
export function citedWords({ n, excerpt }, claims = [], marker) {
  const own = claims.filter(({ citations, markers }) => (marker === undefined ? citations?.includes(n ?? 0) : markers?.includes(marker)));
  const words = own.flatMap(({ quote }) => quote || []);
  return words.length > 0 ? words : [excerpt ?? ''];
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
