import { TOKEN_BYTES } from './answer-shard.js';

/**
 * A question's words compared with each word of a part (`pincite_core.search.late_interaction`).
 *
 * @typedef {import('./types.js').ShardTokens} ShardTokens
 */

/** The best two bits for normally distributed components (Max 1960): sign, and whether it is large. */
const LEVELS = [-0.4528, -1.51, 0.4528, 1.51];

/** Components in a byte. */
const A_BYTE = 4;

/** What each byte stands for, four components after each other, the first in its lowest bits. */
const UNPACKED = Float32Array.from({ length: 256 * A_BYTE }, (_, at) => LEVELS[(at >> 2) >> 2 * (at & 3) & 3]);

/** The squared length of that. */
const SQUARES = Float32Array.from({ length: 256 }, (_, byte) => (
  UNPACKED.subarray(byte * A_BYTE, byte * A_BYTE + A_BYTE).reduce((sum, level) => sum + level * level, 0)));

/** The signs of a projection, 1 and -1, by their Base64. @type {Map<string, Int8Array>} */
const unpackedSigns = new Map();

/** 1 / length of each token of a scope. @type {WeakMap<Uint8Array, Float32Array>} */
const knownScales = new WeakMap();

/**
 * The vectors of a question's tokens, of unit length; null where the site's model gives none.
 * @param {import('./types.js').Embedded} embedded
 * @param {import('./types.js').AnswersFacts['tokens']} projection
 * @returns {Float32Array[] | null}
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
    const length = Math.max(Math.hypot(...vector), 1e-9);
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
 * Of each part the mean, over a question's tokens, of the cosine to the part's nearest token; NaN for one without tokens.
 * What a byte adds to a product is looked up: sixteen additions a token in place of sixty-four products.
 * @param {Float32Array[]} query
 * @param {ShardTokens} tokens
 * @param {ArrayLike<number>} rows  Of the parts.
 */
export function tokenSimilarities(query, { packed, firsts }, rows) {
  const found = new Float64Array(rows.length).fill(NaN);
  const scales = scalesOf(packed);
  const tables = query.map(tableOf);
  for (let at = 0; at < rows.length; at += 1) {
    const [first, end] = [firsts[rows[at]], firsts[rows[at] + 1]];
    if (end === undefined || end === first) continue;
    let sum = 0;
    for (const table of tables) sum += nearest(table, packed, first, end, scales);
    found[at] = sum / query.length;
  }
  return found;
}

/**
 * @param {Float32Array} table
 * @param {Uint8Array} packed
 * @param {number} first
 * @param {number} end
 * @param {Float32Array} scales
 */
function nearest(table, packed, first, end, scales) {
  let best = -Infinity;
  for (let token = first; token < end; token += 1) {
    const place = token * TOKEN_BYTES;
    let product = 0;
    for (let byte = 0; byte < TOKEN_BYTES; byte += 1) product += table[byte << 8 | packed[place + byte]];
    const cosine = product * scales[token];
    if (cosine > best) best = cosine;
  }
  return best;
}

/** @param {Uint8Array} packed */
function scalesOf(packed) {
  const known = knownScales.get(packed);
  if (known) return known;
  const scales = new Float32Array(packed.length / TOKEN_BYTES);
  for (let token = 0; token < scales.length; token += 1) {
    let squares = 0;
    for (let byte = token * TOKEN_BYTES; byte < (token + 1) * TOKEN_BYTES; byte += 1) squares += SQUARES[packed[byte]];
    scales[token] = 1 / Math.sqrt(squares);
  }
  knownScales.set(packed, scales);
  return scales;
}

/** What each value of each byte adds to the product with one token of a question. @param {Float32Array} vector */
function tableOf(vector) {
  const table = new Float32Array(TOKEN_BYTES * 256);
  for (let byte = 0; byte < TOKEN_BYTES; byte += 1) {
    const [a, b, c, d] = vector.subarray(byte * A_BYTE, byte * A_BYTE + A_BYTE);
    for (let value = 0; value < 256; value += 1) {
      const at = value * A_BYTE;
      table[byte << 8 | value] = UNPACKED[at] * a + UNPACKED[at + 1] * b + UNPACKED[at + 2] * c + UNPACKED[at + 3] * d;
    }
  }
  return table;
}
