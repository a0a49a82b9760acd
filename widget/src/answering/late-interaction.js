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

/** The squared length of what each byte stands for. */
const SQUARES = Float32Array.from({ length: 256 }, (_, byte) => levelsOf(byte).reduce((sum, level) => sum + level * level, 0));

/**
 * The vectors of a question's tokens, of unit length; null where the site's model gives none.
 * @param {import('./types.js').Embedded} embedded
 * @param {import('./types.js').AnswersFacts['tokens']} projection
 * @returns {Float32Array[] | null}
 */
export function projected({ states, hidden }, projection) {
  if (!projection || projection.hidden !== hidden || states.length === 0) return null;
  const { dimension } = projection;
  const signs = Uint8Array.from(atob(projection.signs), (letter) => letter.charCodeAt(0));
  return Array.from({ length: states.length / hidden }, (_, token) => {
    const vector = new Float32Array(dimension);
    for (let row = 0; row < hidden; row += 1) {
      const state = states[token * hidden + row];
      const first = row * dimension;
      for (let at = 0; at < dimension; at += 1) {
        const isPlus = signs[(first + at) >> 3] >> (7 - (first + at) % 8) & 1;
        vector[at] += isPlus ? state : -state;
      }
    }
    const length = Math.max(Math.hypot(...vector), 1e-9);
    return vector.map((component) => component / length);
  });
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
  const scales = new Map();
  const tables = query.map(tableOf);
  for (let at = 0; at < rows.length; at += 1) {
    const [first, end] = [firsts[rows[at]], firsts[rows[at] + 1]];
    if (end === undefined || end === first) continue;
    const scale = scales.get(rows[at]) ?? scalesOf(packed, first, end);
    scales.set(rows[at], scale);
    found[at] = tables.reduce((sum, table) => sum + nearest(table, packed, first, end, scale), 0) / query.length;
  }
  return found;
}

/**
 * @param {Float32Array} table
 * @param {Uint8Array} packed
 * @param {number} first
 * @param {number} end
 * @param {Float32Array} scale
 */
function nearest(table, packed, first, end, scale) {
  let best = -Infinity;
  for (let token = first; token < end; token += 1) {
    const place = token * TOKEN_BYTES;
    let product = 0;
    for (let byte = 0; byte < TOKEN_BYTES; byte += 1) product += table[byte << 8 | packed[place + byte]];
    best = Math.max(best, product * scale[token - first]);
  }
  return best;
}

/** 1 / length of each token's vector. @param {Uint8Array} packed @param {number} first @param {number} end */
function scalesOf(packed, first, end) {
  return Float32Array.from({ length: end - first }, (_, token) => {
    let squares = 0;
    for (let byte = (first + token) * TOKEN_BYTES; byte < (first + token + 1) * TOKEN_BYTES; byte += 1) squares += SQUARES[packed[byte]];
    return 1 / Math.sqrt(squares);
  });
}

/** What each value of each byte adds to the product with one token of a question. @param {Float32Array} vector */
function tableOf(vector) {
  const table = new Float32Array(TOKEN_BYTES * 256);
  for (let byte = 0; byte < TOKEN_BYTES; byte += 1) {
    for (let value = 0; value < 256; value += 1) {
      table[byte << 8 | value] = levelsOf(value).reduce((sum, level, at) => sum + level * vector[byte * A_BYTE + at], 0);
    }
  }
  return table;
}

/** @param {number} byte */
function levelsOf(byte) {
  return [0, 2, 4, 6].map((shift) => LEVELS[byte >> shift & 3]);
}
