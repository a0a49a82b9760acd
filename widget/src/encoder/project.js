/** The states of tokens as the index keeps them: projected onto signs (`pincite_core/search/late_interaction.py`). */
import { shake256 } from '@noble/hashes/sha3.js';

/** What the projection is made of, so that it is the same everywhere. */
const SEED = 'pincite token vectors';
export const TOKEN_DIMENSION = 64;

/** @type {Map<number, Uint8Array>} By the number of components. */
const projections = new Map();

/** @param {number} hidden */
function signsOf(hidden) {
  const known = projections.get(hidden) ?? shake256(new TextEncoder().encode(SEED), { dkLen: hidden * TOKEN_DIMENSION / 8 });
  projections.set(hidden, known);
  return known;
}

/**
 * @param {Float32Array} states  Row-major; shape (tokens, hidden).
 * @param {number} hidden
 * @returns {Float32Array}  Row-major, each row of length 1; shape (tokens, TOKEN_DIMENSION).
 */
export function projectTokens(states, hidden) {
  const tokens = hidden ? states.length / hidden : 0;
  const signs = signsOf(hidden);
  const projected = new Float32Array(tokens * TOKEN_DIMENSION);
  for (let token = 0; token < tokens; token += 1) {
    const row = projected.subarray(token * TOKEN_DIMENSION, (token + 1) * TOKEN_DIMENSION);
    for (let at = 0; at < hidden; at += 1) {
      const value = states[token * hidden + at];
      for (let component = 0; component < TOKEN_DIMENSION; component += 1) {
        const bit = at * TOKEN_DIMENSION + component;
        row[component] += signs[bit >> 3] & (128 >> (bit & 7)) ? value : -value;
      }
    }
    const length = Math.max(Math.hypot(...row), 1e-9);
    for (let component = 0; component < TOKEN_DIMENSION; component += 1) row[component] /= length;
  }
  return projected;
}
