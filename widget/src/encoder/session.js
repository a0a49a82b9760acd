/** Runs the model with ONNX Runtime's WebAssembly. */
import { shake256 } from '@noble/hashes/sha3.js';
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm'; // Includes its loader, so no second script is fetched.

const INPUTS = ['input_ids', 'attention_mask'];
const VECTOR = 'sentence_embedding';
const STATES = 'token_states';

/** The projection's bits come from this seed, so that they are the same everywhere. */
const SEED = 'pincite token vectors';
const TOKEN_DIMENSION = 64;

/**
 * @param {Uint8Array<ArrayBuffer>} wasm  The runtime, gzipped.
 * @param {Uint8Array} encoder  The ONNX file.
 */
export async function openSession(wasm, encoder) {
  env.logLevel = 'error';
  env.wasm.numThreads = 1; // For a dozen tokens, threads cost more than they save; they also need an isolated page.
  env.wasm.wasmBinary = await new Response(new Blob([wasm]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  const session = await InferenceSession.create(encoder, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
    extra: { session: { disable_quant_qdq: '1' } }, // Weights become floats once; int8 nearly doubles the time for a question.
  });
  env.wasm.wasmBinary = undefined;

  /**
   * @param {number[]} ids
   * @param {number[]} content  The positions of the tokens whose states are returned.
   * @returns {Promise<import('./types.js').Embedded>}
   */
  async function run(ids, content) {
    const shape = [1, ids.length];
    const rows = [BigInt64Array.from(ids, BigInt), new BigInt64Array(ids.length).fill(1n)];
    const outputs = await session.run(Object.fromEntries(INPUTS.map((name, at) => [name, new Tensor('int64', rows[at], shape)])));
    const vector = /** @type {Float32Array} */ (outputs[VECTOR].data).slice();
    if (!session.outputNames.includes(STATES)) return { vector, states: new Float32Array(), hidden: 0, tokens: new Float32Array() };
    const all = /** @type {Float32Array} */ (outputs[STATES].data);
    const hidden = outputs[STATES].dims[2];
    const states = new Float32Array(content.length * hidden);
    content.forEach((position, row) => states.set(all.subarray(position * hidden, (position + 1) * hidden), row * hidden));
    return { vector, states, hidden, tokens: projectTokens(states, hidden) };
  }

  return { run };
}

/** @type {Map<number, Uint8Array>} By the number of components. */
const projections = new Map();

/**
 * Project token states onto random signs, as the index does (`pincite_core/search/late_interaction.py`).
 * @param {Float32Array} states  Row-major; shape (tokens, hidden).
 * @param {number} hidden
 * @returns {Float32Array}  Row-major, unit-length rows; shape (tokens, TOKEN_DIMENSION).
 */
function projectTokens(states, hidden) {
  const tokens = hidden ? states.length / hidden : 0;
  const signs = projections.get(hidden) ?? shake256(new TextEncoder().encode(SEED), { dkLen: hidden * TOKEN_DIMENSION / 8 });
  projections.set(hidden, signs);
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
