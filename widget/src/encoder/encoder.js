/** The page's side of the encoder: questions become vectors on the reader's own machine, in a worker. */
import { EncoderError } from './failure.js';
import { loadManifest } from './manifest.js';
import { isMetered } from './metered.js';
import { bytesToFetch } from './store.js';
import { startWorker } from './start-worker.js';

/**
 * @typedef {import('./types.js').Embedded} Embedded
 * @typedef {import('./types.js').Progress} Progress
 */

/** How long nothing may come before the reader is told, in milliseconds. */
const LIMIT_MS = 15_000;

/**
 * Nothing is fetched before the first call. What failed is tried anew by the next call.
 * @param {object} options
 * @param {string} options.folder  The index folder's URL, which ends with a slash; on the page's own origin.
 * @param {(progress: Progress) => void} [options.onProgress]
 * @param {number} [options.limit]  Milliseconds.
 * @param {boolean} [options.agreed]  Whether the reader has agreed to the download, where that is to be asked.
 */
export function createEncoder({ folder, onProgress = () => {}, limit = LIMIT_MS, agreed = false }) {
  const base = new URL('encoder/manifest.json', new URL(folder, document.baseURI)).href;
  /** @type {ReturnType<typeof loadManifest> | null} */
  let manifest = null;
  /** @type {ReturnType<typeof start> | null} */
  let running = null;

  function getManifest() {
    manifest ??= loadManifest(base);
    manifest.catch(() => { manifest = null; });
    return manifest;
  }

  /** The bytes that loading would fetch now: 0 when all is kept. */
  async function cost() {
    return bytesToFetch(Object.values((await getManifest()).files));
  }

  /** Whether the reader is to be asked first: the connection is metered, and something would be fetched. */
  async function mustAsk() {
    return !agreed && isMetered() && await cost() > 0;
  }

  async function start() {
    const known = await getManifest();
    if (await mustAsk()) throw new EncoderError('ask', 'The connection is metered.');
    const onEnd = () => { running = null; };
    const worker = await startWorker(new URL(known.worker, base).href, { manifest: known, base, limit, onProgress, onEnd });
    return { worker, model: known.model };
  }

  /** Get it ready; what is loading or loaded already is not loaded again. */
  function load() {
    const starting = running ??= start();
    starting.catch(() => { if (running === starting) running = null; });
    return starting;
  }

  return {
    cost,
    mustAsk,
    /** The reader has agreed to the download. */
    agree() { agreed = true; },
    /** @throws {EncoderError} */
    async load() { await load(); },
    /**
     * @param {string} text
     * @returns {Promise<Embedded & {model: string}>}  With the name of the model that made it.
     * @throws {EncoderError}
     */
    async embed(text) {
      const { worker, model } = await load();
      return { ...await worker.embed(text), model };
    },
    /** End the worker and give its memory back; the next call starts it again. */
    async close() {
      const started = running;
      running = null;
      (await started?.catch(() => null))?.worker.end();
    },
  };
}

/** @typedef {ReturnType<typeof createEncoder>} Encoder */
