/** @typedef {import('./rank.js').Hit} Hit */

/** Sections that are shown, and how many of one page: what a reader looks through. */
const MOST = 10;
const MOST_OF_PAGE = 2;

/**
 * The sections that are shown, those of a page together, in the order of each page's best.
 * @param {Hit[]} hits  Best first.
 * @returns {Hit[][]}
 */
export function byPage(hits) {
  /** @type {Map<string, Hit[]>} */
  const pages = new Map();
  let shown = 0;
  for (const hit of hits) {
    const page = pages.get(hit.section.url) ?? [];
    if (page.length >= MOST_OF_PAGE) continue;
    pages.set(hit.section.url, [...page, hit]);
    shown += 1;
    if (shown === MOST) break;
  }
  return [...pages.values()];
}
