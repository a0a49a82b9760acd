import { rules } from './rules.js';
/** @import {Embedded, ShardTokens, ShardVectors} from './types.js' */

/** Cosines with stored vectors (`pincite_core.index.quantise`), and late interaction (`pincite_core.search.late_interaction`). */

const A_BYTE = 4; // Components of two bits.
const VALUES = 256; // Of a byte.

/** 1 / length of each token of a scope. @type {WeakMap<Uint8Array, Float32Array>} */
const knownScales = new WeakMap();
/** The components that each byte stands for, and their squared length. @type {[Float32Array, Float32Array] | null} */
let unpacked = null;
/** The signs of a projection, 1 and -1, by their Base64. @type {Map<string, Int8Array>} */
const unpackedSigns = new Map();

/**
 * @param {Float32Array} vector  Unit length.
 * @param {ShardVectors} vectors
 * @param {ArrayLike<number>} [rows]  The wanted rows, all if none are given; the cosine of row -1 is 0.
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
 * @param {Float32Array} vector
 * @param {Int8Array} stored
 * @param {number} first
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

/**
 * The unit vectors of a question's tokens; null if the site's model gives none.
 * @param {Embedded} embedded
 * @param {{dimension: number, hidden: number, signs: string} | null} projection
 */
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

/** @param {string} packed  Base64, eight signs a byte, the first in its highest bit; 1 is plus. */
function signsOf(packed) {
  const known = unpackedSigns.get(packed);
  if (known) return known;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const signs = Int8Array.from({ length: bytes.length * 8 }, (_, at) => (bytes[at >> 3] >> 7 - at % 8 & 1 ? 1 : -1));
  unpackedSigns.set(packed, signs);
  return signs;
}

/**
 * For each part the mean, over a question's tokens, of the cosine with the part's nearest token; NaN for a part without tokens.
 * Products of each byte are looked up in a table: sixteen additions a token in place of sixty-four products.
 * @param {Float32Array[]} query
 * @param {ShardTokens} tokens
 * @param {ArrayLike<number>} rows  Of the parts.
 */
export function tokenSimilarities(query, { packed, firsts }, rows) {
  const { bytes } = rules.tokens;
  const [found, scales, tables] = [new Float64Array(rows.length).fill(NaN), scalesOf(packed), query.map(tableOf)];
  for (let at = 0; at < rows.length; at += 1) {
    const [first, end] = [firsts[rows[at]], firsts[rows[at] + 1]];
    if (end === undefined || end === first) continue;
    let total = 0;
    for (const table of tables) {
      let best = -Infinity;
      for (let token = first; token < end; token += 1) {
        let sum = 0;
        for (let byte = 0; byte < bytes; byte += 1) sum += table[byte * VALUES + packed[token * bytes + byte]];
        best = Math.max(best, sum * scales[token]);
      }
      total += best;
    }
    found[at] = total / query.length;
  }
  return found;
}

function levels() {
  if (unpacked) return unpacked;
  const components = Float32Array.from({ length: VALUES * A_BYTE }, (_, at) => rules.tokens.levels[(at >> 2) >> 2 * (at & 3) & 3]);
  const squares = Float32Array.from({ length: VALUES }, (_, byte) => (
    components.subarray(byte * A_BYTE, (byte + 1) * A_BYTE).reduce((sum, level) => sum + level * level, 0)));
  unpacked = [components, squares];
  return unpacked;
}

/** @param {Uint8Array} packed */
function scalesOf(packed) {
  const known = knownScales.get(packed);
  if (known) return known;
  const [{ bytes }, [, squares]] = [rules.tokens, levels()];
  const scales = Float32Array.from({ length: packed.length / bytes }, (_, token) => (
    1 / Math.sqrt(packed.subarray(token * bytes, (token + 1) * bytes).reduce((sum, byte) => sum + squares[byte], 0))));
  knownScales.set(packed, scales);
  return scales;
}

/** What each value of each byte adds to the product with one token of a question. @param {Float32Array} vector */
function tableOf(vector) {
  const [components] = levels();
  return Float32Array.from({ length: rules.tokens.bytes * VALUES }, (_, at) => {
    const [first, value] = [Math.floor(at / VALUES) * A_BYTE, at % VALUES * A_BYTE];
    let total = 0;
    for (let one = 0; one < A_BYTE; one += 1) total += components[value + one] * vector[first + one];
    return total;
  });
}
