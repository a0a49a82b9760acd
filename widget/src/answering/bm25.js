/**
 * BM25 over one column, as SQLite's FTS5 gives it (`pincite_core.search.bm25`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').TermCounts} TermCounts
 */

/**
 * The score of every part of the library; NaN for one that holds none of the terms there.
 * A term that most parts have weighs a millionth; it is left out beside any that says more, be it that no part has that one.
 * @param {Library} library
 * @param {TermCounts[]} counts
 * @param {import('./types.js').Column} column
 */
export function bm25(library, counts, column) {
  const { k1, least_rarity: least } = library.facts.tables.bm25;
  const { parts } = library.spoken;
  const scores = new Float64Array(library.parts).fill(NaN);
  const saturation = saturationOf(library);
  const rarities = counts.map(({ found }) => Math.max(least, Math.log((parts - found[column] + 0.5) / (found[column] + 0.5))));
  const isTelling = rarities.some((rarity) => rarity > least) ? (/** @type {number} */ rarity) => rarity > least : () => true;
  counts.forEach(({ columns }, at) => {
    if (!isTelling(rarities[at])) return;
    const { parts: held, times } = columns[column];
    held.forEach((part, place) => {
      const gained = rarities[at] * times[place] * (k1 + 1) / (times[place] + saturation[part]);
      scores[part] = (Number.isNaN(scores[part]) ? 0 : scores[part]) + gained;
    });
  });
  return scores;
}

/** @type {WeakMap<Library, Float64Array>} */
const saturations = new WeakMap();

/** @param {Library} library */
function saturationOf(library) {
  const { k1, b } = library.facts.tables.bm25;
  const known = saturations.get(library) ?? Float64Array.from(
    library.shards.flatMap(({ exact }) => exact.lengths), (length) => k1 * (1 - b + b * length / library.spoken.average));
  saturations.set(library, known);
  return known;
}

/**
 * The parts with the best scores, best first, the earlier one first among equals; those that have none are left out.
 * @param {ArrayLike<number>} scores
 * @param {number} most
 */
export function best(scores, most) {
  const found = [];
  for (let part = 0; part < scores.length; part += 1) if (!Number.isNaN(scores[part])) found.push(part);
  return found.sort((a, b) => scores[b] - scores[a] || a - b).slice(0, most);
}
