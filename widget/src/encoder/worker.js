/*!
 * Includes ONNX Runtime Web (c) Microsoft Corporation and noble-hashes (c) Paul Miller, MIT licence, and Tokenizers.js
 * (c) Hugging Face, Apache licence 2.0.
 */
/** The worker: loads the encoder's files, starts the model and embeds one question after the other. */
import { createTokenizer } from './content-tokens.js';
import { EncoderError } from './encoder-error.js';
import { openSession } from './session.js';
import { loadFile } from './store.js';

/** @import {Embedded, EncoderManifest, Order, Report} from './types.js' */

const PROGRESS_EVERY_MS = 100;

/** The smallest WebAssembly module. */
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** A module with one SIMD instruction; the runtime needs SIMD. */
const SIMD = Uint8Array.of(...EMPTY, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** @type {((text: string) => Promise<Embedded>) | null} */
let embed = null;
/** The model runs one question at a time. @type {Promise<unknown>} */
let last = Promise.resolve();

const report = (/** @type {Report} */ message) => postMessage(message);

/** @param {EncoderManifest} manifest @param {string} base */
async function load(manifest, base) {
  requireWebAssembly();
  const { wasm, encoder, tokenizer } = manifest.files;
  const files = [wasm, encoder, tokenizer];
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let loaded = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const reportProgress = (starting = false) => {
    clearTimeout(timer);
    timer = undefined;
    report({ type: 'progress', progress: { loaded, total, starting } });
  };
  const onBytes = (/** @type {number} */ bytes) => {
    loaded += bytes;
    timer ??= setTimeout(reportProgress, PROGRESS_EVERY_MS); // Also reports the last piece before a pause.
  };
  const [runtime, model, vocabulary] = await Promise.all(files.map((file) => loadFile(file, base, onBytes)));
  reportProgress(true);
  const tokenize = createTokenizer(JSON.parse(new TextDecoder().decode(vocabulary)), manifest);
  const session = await openSession(runtime, model).catch((error) => { throw new EncoderError('unsupported', String(error)); });
  embed = async (text) => {
    const { ids, content } = tokenize(text);
    return session.run(ids, content);
  };
}

/** @throws {EncoderError} `unsupported`, or `blocked` if the page's policy forbids WebAssembly. */
function requireWebAssembly() {
  const { WebAssembly, DecompressionStream } = globalThis;
  if (!WebAssembly || !DecompressionStream) throw new EncoderError('unsupported', 'This browser has no WebAssembly.');
  try {
    new WebAssembly.Module(EMPTY);
  } catch (error) {
    throw new EncoderError('blocked', `${error} Add 'wasm-unsafe-eval' to script-src of the Content-Security-Policy.`);
  }
  if (!WebAssembly.validate(SIMD)) throw new EncoderError('unsupported', 'The WebAssembly of this browser has no SIMD.');
}

/** @param {unknown} error @param {number} [id] */
function reportFailure(error, id) {
  const { code, message } = error instanceof EncoderError ? error : new EncoderError('unsupported', String(error));
  report({ type: 'failed', id, code, detail: message });
}

addEventListener('message', (/** @type {MessageEvent<Order>} */ { data: order }) => {
  if (order.type === 'load') return void load(order.manifest, order.base).then(() => report({ type: 'ready' }), reportFailure);
  last = last.then(async () => {
    try {
      if (!embed) throw new Error('The encoder is not loaded.');
      report({ type: 'embedded', id: order.id, embedded: await embed(order.text) });
    } catch (error) {
      reportFailure(error, order.id);
    }
  });
});
