/** So many characters of a text must stand on the page as they are for the rest to be looked for around them. */
const SEED = 10;

/** Where else in a text such a stretch is taken from, when the page has not its beginning. */
const SEED_STEP = 5;

/** What the page may have in the midst of a text: numbers of lines, a hidden remark, the mark of a note. */
const MOST_MORE = 120;

/** What a text may have that the page has not: the names of a table's columns. */
const MOST_LESS = 40;

/** So many characters after such a gap must agree, or all that are left. */
const AGREEING = 8;

/** Share of a text that must be found; less is another text with the same beginning. */
const ENOUGH = 0.7;

/**
 * Find a text that the page shows with something in its midst, or without something.
 * @param {string} page  Without white space, as the text.
 * @param {string} text
 * @param {number} from  Where to begin on the page.
 * @returns {{start: number, end: number}[]} The stretches of the page that are the text's, in order; none when too little is
 *   found.
 */
export function align(page, text, from) {
  for (let skipped = 0; skipped < text.length * (1 - ENOUGH); skipped += SEED_STEP) {
    const seed = text.slice(skipped, skipped + SEED);
    for (let at = page.indexOf(seed, from); at >= 0 && seed.length >= AGREEING; at = page.indexOf(seed, at + 1)) {
      const pieces = follow(page, text, at, skipped);
      const found = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
      if (found >= text.length * ENOUGH) return pieces;
    }
  }
  return [];
}

/**
 * @param {string} page
 * @param {string} text
 * @param {number} at  On the page.
 * @param {number} read  Of the text.
 */
function follow(page, text, at, read) {
  const pieces = [{ start: at, end: at }];
  while (read < text.length) {
    const piece = pieces[pieces.length - 1];
    if (page[piece.end] === text[read]) {
      piece.end += 1;
      read += 1;
      continue;
    }
    const gap = gapAt(page, text, piece.end, read);
    if (!gap) break;
    read += gap.less;
    if (gap.more) pieces.push({ start: piece.end + gap.more, end: piece.end + gap.more });
  }
  return pieces;
}

/**
 * The least that has to be passed over on either side for both to agree again.
 * @param {string} page
 * @param {string} text
 * @param {number} at
 * @param {number} read
 */
function gapAt(page, text, at, read) {
  for (let size = 1; size <= MOST_MORE + MOST_LESS; size += 1) {
    for (let less = 0; less <= Math.min(size, MOST_LESS); less += 1) {
      const more = size - less;
      const next = text.slice(read + less, read + less + AGREEING);
      if (more <= MOST_MORE && next && page.startsWith(next, at + more)) return { more, less };
    }
  }
  return null;
}
