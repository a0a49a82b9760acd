import { remembered } from '../search/files.js';
import { range, sum } from '../search/numbers.js';
import { rules } from './rules.js';
/** @import {Embedded, Projection, ShardTokens, ShardVectors} from './types.js' */

/** Cosines with stored vectors (`pincite_core.index.quantise`), and late interaction (`pincite_core.search.late_interaction`). */

const A_BYTE = 4; // Components of two bits.
const VALUES = 256; // Of a byte.

/**
 * The cosines of a unit vector with some rows, or with all if none are given; that of row -1 is 0.
 * @param {Float32Array} vector @param {ShardVectors} vectors @param {ArrayLike<number>} [rows]
 */
export function cosines(vector, { rows: stored, lengths, dimension }, rows) {
  const count = rows ? rows.length : lengths.length;
  const found = new Float32Array(count);
  for (let at = 0; at < count; at += 1) {
    const row = rows ? rows[at] : at;
    if (row >= 0) found[at] = product(vector, stored, row * dimension) / lengths[row];
  }
  return found;
}

/**
 * Four sums side by side, which a processor adds several times faster than one.
 * @param {Float32Array} vector @param {Int8Array} stored @param {number} first
 */
function product(vector, stored, first) {
  const { length } = vector;
  const whole = length - length % 4;
  let [a, b, c, d, at] = [0, 0, 0, 0, 0];
  for (let place = first; at < whole; at += 4, place += 4) {
    a += vector[at] * stored[place];
    b += vector[at + 1] * stored[place + 1];
    c += vector[at + 2] * stored[place + 2];
    d += vector[at + 3] * stored[place + 3];
  }
  for (; at < length; at += 1) a += vector[at] * stored[first + at];
  return a + b + c + d;
}

/** The unit vectors of a question's tokens; null if the model gives none. @param {Embedded} embedded @param {Projection} projection */
export function projected({ states, hidden }, projection) {
  if (!projection || projection.hidden !== hidden || states.length === 0) return null;
  const { dimension } = projection;
  const signs = signsOf(projection.signs);
  return Array.from({ length: states.length / hidden }, (_, token) => {
    const vector = new Float32Array(dimension);
    for (let row = 0; row < hidden; row += 1) {
      const state = states[token * hidden + row];
      const first = row * dimension;
      for (let at = 0; at < dimension; at += 1) vector[at] += signs[first + at] * state;
    }
    const length = Math.hypot(...vector) || 1;
    return vector.map((component) => component / length);
  });
}

/** The signs of a projection, 1 and -1, from Base64: eight signs a byte, the first in its highest bit; 1 is plus. */
const signsOf = remembered((/** @type {string} */ packed) => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return Int8Array.from({ length: bytes.length * 8 }, (_, at) => (bytes[at >> 3] >> 7 - at % 8 & 1 ? 1 : -1));
});

/**
 * The mean, over a question's tokens, of the cosine with the nearest token of a part, by its row; NaN for a part without tokens.
 * Products of each byte are looked up in a table: sixteen additions a token in place of sixty-four products.
 * @param {Float32Array[]} query @param {ShardTokens} tokens @param {number} row
 */
export function tokenSimilarity(query, { packed, firsts }, row) {
  const [{ bytes }, scales] = [rules.tokens, scalesOf(packed)];
  const [first, end] = [firsts[row], firsts[row + 1]];
  if (end === undefined || end === first) return NaN;
  return sum(query.map(tableOf).map((table) => {
    let best = -Infinity;
    for (let token = first; token < end; token += 1) {
      let product = 0;
      for (let byte = 0; byte < bytes; byte += 1) product += table[byte * VALUES + packed[token * bytes + byte]];
      best = Math.max(best, product * scales[token]);
    }
    return best;
  })) / query.length;
}

/** The components that a byte stands for. @param {number} byte @returns {number[]} */
const componentsOf = (byte) => range(0, A_BYTE).map((at) => rules.tokens.levels[byte >> 2 * at & 3]);

/** 1 / length of each token of a scope. @type {(packed: Uint8Array) => Float32Array} */
const scalesOf = remembered((/** @type {Uint8Array} */ packed) => {
  const { bytes } = rules.tokens;
  const squares = range(0, VALUES).map((byte) => sum(componentsOf(byte).map((level) => level * level)));
  return Float32Array.from({ length: packed.length / bytes }, (_, token) => (
    1 / Math.sqrt(packed.subarray(token * bytes, (token + 1) * bytes).reduce((total, byte) => total + squares[byte], 0))));
}, new WeakMap());

/** What each value of each byte adds to the product with one token of a question. @type {(vector: Float32Array) => Float32Array} */
const tableOf = remembered((/** @type {Float32Array} */ vector) => {
  const levels = range(0, VALUES).map(componentsOf);
  return Float32Array.from({ length: rules.tokens.bytes * VALUES }, (_, at) => {
    const first = Math.floor(at / VALUES) * A_BYTE;
    return levels[at % VALUES].reduce((total, level, one) => total + level * vector[first + one], 0);
  });
}, new WeakMap());
