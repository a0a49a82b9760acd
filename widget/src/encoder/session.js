/** The model, run by ONNX Runtime's WebAssembly. */
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm'; // With its own loader inside: no second script.
import { projectTokens } from './project.js';

const INPUTS = ['input_ids', 'attention_mask'];
const VECTOR = 'sentence_embedding';
const STATES = 'token_states';

/**
 * @param {Uint8Array<ArrayBuffer>} wasm  The runtime, gzipped.
 * @param {Uint8Array} encoder  The ONNX file.
 */
export async function openSession(wasm, encoder) {
  env.logLevel = 'error';
  env.wasm.numThreads = 1; // A question has a dozen tokens: threads would cost more than they bring, and want an isolated page.
  env.wasm.wasmBinary = await gunzip(wasm);
  const session = await InferenceSession.create(encoder, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
    extra: { session: { disable_quant_qdq: '1' } }, // Weights become floats once: kept in int8 a question takes nearly twice as long.
  });
  env.wasm.wasmBinary = undefined;

  /**
   * @param {number[]} ids
   * @param {number[]} content  The positions of the tokens whose states are wanted.
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

/** @param {Uint8Array<ArrayBuffer>} bytes */
function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
