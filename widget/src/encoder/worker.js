/*!
 * Includes ONNX Runtime Web (c) Microsoft Corporation and noble-hashes (c) Paul Miller, MIT licence, and Tokenizers.js
 * (c) Hugging Face, Apache licence 2.0.
 */
/** The worker: loads the encoder's files, starts the model, embeds questions one after the other. */
import { createTokenizer } from './content-tokens.js';
import { EncoderError } from './failure.js';
import { openSession } from './session.js';
import { loadFile } from './store.js';
import { requireWebAssembly } from './wasm-check.js';

/**
 * @typedef {import('./types.js').Order} Order
 * @typedef {import('./types.js').Report} Report
 */

const PROGRESS_EVERY_MS = 100;

/** @type {((text: string) => Promise<import('./types.js').Embedded>) | null} */
let embed = null;
/** Questions wait for each other: the model runs one at a time. @type {Promise<unknown>} */
let last = Promise.resolve();

const tell = (/** @type {Report} */ report) => postMessage(report);

/**
 * @param {import('./types.js').EncoderManifest} manifest
 * @param {string} base
 */
async function load(manifest, base) {
  requireWebAssembly();
  const { wasm, encoder, tokenizer } = manifest.files;
  const files = [wasm, encoder, tokenizer];
  const progress = createProgress(files.reduce((sum, { bytes }) => sum + bytes, 0));
  const [runtime, model, cutter] = await Promise.all(files.map((file) => loadFile(file, base, progress.add)));
  progress.starting();
  const tokenize = createTokenizer(JSON.parse(new TextDecoder().decode(cutter)), manifest);
  const session = await openSession(runtime, model).catch((error) => { throw new EncoderError('unsupported', String(error)); });
  embed = async (text) => {
    const { ids, content } = tokenize(text);
    return session.run(ids, content);
  };
}

/** @param {number} total  Bytes. */
function createProgress(total) {
  let loaded = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const tellNow = (starting = false) => {
    clearTimeout(timer);
    timer = undefined;
    tell({ type: 'progress', progress: { loaded, total, starting } });
  };
  return {
    add(/** @type {number} */ bytes) {
      loaded += bytes;
      timer ??= setTimeout(() => tellNow(), PROGRESS_EVERY_MS); // The last before a pause is told as well.
    },
    starting: () => tellNow(true),
  };
}

/**
 * @param {unknown} error
 * @param {number} [id]
 */
function tellFailure(error, id) {
  const { code, message } = error instanceof EncoderError ? error : new EncoderError('unsupported', String(error));
  tell({ type: 'failed', id, code, detail: message });
}

addEventListener('message', (/** @type {MessageEvent<Order>} */ { data: order }) => {
  if (order.type === 'load') return void load(order.manifest, order.base).then(() => tell({ type: 'ready' }), tellFailure);
  last = last.then(async () => {
    try {
      if (!embed) throw new Error('not loaded');
      tell({ type: 'embedded', id: order.id, embedded: await embed(order.text) });
    } catch (error) {
      tellFailure(error, order.id);
    }
  });
});
