/**
 * Cosines of a question with stored vectors (`pincite_core.index.quantise`).
 *
 * @typedef {import('./types.js').ShardVectors} ShardVectors
 */

/**
 * @param {Float32Array} vector  Unit length.
 * @param {ShardVectors} vectors
 * @param {ArrayLike<number>} [rows]  Those that are wanted, all if none are given; -1 is none, whose cosine is 0.
 */
export function cosines(vector, { rows: stored, scales, dimension }, rows) {
  const count = rows ? rows.length : scales.length;
  const found = new Float32Array(count);
  for (let at = 0; at < count; at += 1) {
    const row = rows ? rows[at] : at;
    if (row < 0) continue;
    const first = row * dimension;
    let product = 0;
    for (let place = 0; place < dimension; place += 1) product += stored[first + place] * vector[place];
    found[at] = product * scales[row];
  }
  return found;
}
