/** This many characters must match exactly before the rest is searched around them. */
const SEED = 10;

/** If the page lacks the beginning of a text, seeds further on are tried in steps of this size. */
const SEED_STEP = 5;

/** The longest insertion of the page: line numbers, a hidden remark, a footnote mark. */
const MAX_INSERTED = 120;

/** The longest part of a text that the page lacks: the names of a table's columns. */
const MAX_MISSING = 40;

/** This many characters after a gap must match, or all that are left. */
const MATCH_AFTER_GAP = 8;

/** The share of a text that must be found. Less is another text with the same beginning. */
const MIN_SHARE = 0.7;

/**
 * Find a text on a page that inserts or lacks parts of it.
 * @param {string} page  Without white space, as the text.
 * @param {string} text
 * @param {number} from  Start of the search.
 * @returns {{start: number, end: number}[]} The matching stretches of the page, in order; none below `MIN_SHARE`.
 */
export function align(page, text, from) {
  for (let skipped = 0; skipped < text.length * (1 - MIN_SHARE); skipped += SEED_STEP) {
    const seed = text.slice(skipped, skipped + SEED);
    for (let at = page.indexOf(seed, from); at >= 0 && seed.length >= MATCH_AFTER_GAP; at = page.indexOf(seed, at + 1)) {
      const pieces = extend(page, text, at, skipped);
      const found = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
      if (found >= text.length * MIN_SHARE) return pieces;
    }
  }
  return [];
}

/** @param {string} page @param {string} text @param {number} pageAt @param {number} textAt */
function extend(page, text, pageAt, textAt) {
  const pieces = [{ start: pageAt, end: pageAt }];
  while (textAt < text.length) {
    const piece = pieces[pieces.length - 1];
    if (page[piece.end] === text[textAt]) {
      piece.end += 1;
      textAt += 1;
      continue;
    }
    const gap = smallestGap(page, text, piece.end, textAt);
    if (!gap) break;
    textAt += gap.missing;
    if (gap.inserted) pieces.push({ start: piece.end + gap.inserted, end: piece.end + gap.inserted });
  }
  return pieces;
}

/** @param {string} page @param {string} text @param {number} pageAt @param {number} textAt */
function smallestGap(page, text, pageAt, textAt) {
  for (let size = 1; size <= MAX_INSERTED + MAX_MISSING; size += 1) {
    for (let missing = 0; missing <= Math.min(size, MAX_MISSING); missing += 1) {
      const inserted = size - missing;
      const next = text.slice(textAt + missing, textAt + missing + MATCH_AFTER_GAP);
      if (inserted <= MAX_INSERTED && next && page.startsWith(next, pageAt + inserted)) return { inserted, missing };
    }
  }
  return null;
}
