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
export function cosines(vector, { rows: stored, lengths, dimension }, rows) {
  const count = rows ? rows.length : lengths.length;
  const found = new Float32Array(count);
  for (let at = 0; at < count; at += 1) {
    const row = rows ? rows[at] : at;
    if (row < 0) continue;
    found[at] = product(vector, stored, row * dimension) / lengths[row];
  }
  return found;
}

/**
 * Four sums side by side, which a processor adds several times faster than one.
 * @param {Float32Array} vector
 * @param {Int8Array} stored
 * @param {number} first  Where its row begins.
 */
function product(vector, stored, first) {
  const { length } = vector;
  const whole = length - length % 4;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  for (let place = first; at < whole; at += 4, place += 4) {
    a += vector[at] * stored[place];
    b += vector[at + 1] * stored[place + 1];
    c += vector[at + 2] * stored[place + 2];
    d += vector[at + 3] * stored[place + 3];
  }
  for (; at < length; at += 1) a += vector[at] * stored[first + at];
  return a + b + c + d;
}
