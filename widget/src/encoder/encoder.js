/** The page's side of the encoder: a worker in the reader's browser turns questions into vectors. */
import { EncoderError } from './encoder-error.js';
import { bytesToFetch } from './store.js';
import { startWorker } from './start-worker.js';

/** @import {Embedded, EncoderManifest, Progress} from './types.js' */

/** The manifest format that this module reads (`pincite_indexer/browser_encoder.py`). */
const FORMAT = 1;

/** The reader is told if nothing arrives for this long, in milliseconds. */
const LIMIT_MS = 15_000;

/** Connection types on which a download of megabytes takes long. */
const SLOW = ['slow-2g', '2g', '3g'];

/**
 * Nothing is fetched before the first call. A call after a failure tries again.
 * @param {object} options
 * @param {string} options.folder  The index folder's URL, which ends with a slash; on the page's own origin.
 * @param {(progress: Progress) => void} [options.onProgress]
 * @param {number} [options.limit]  Milliseconds.
 * @param {boolean} [options.agreed]  Whether the reader has already agreed to the download.
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

  /** Return the bytes that loading would fetch now: 0 if all files are cached. */
  async function cost() {
    return bytesToFetch(Object.values((await getManifest()).files));
  }

  /** Return whether to ask the reader first: the connection is slow or metered, and files are missing. */
  async function mustAsk() {
    // Not all browsers report their connection.
    const { connection } = /** @type {{connection?: {saveData?: boolean, type?: string, effectiveType?: string}}} */ (navigator);
    const isMetered = connection && (connection.saveData || connection.type === 'cellular' || SLOW.includes(connection.effectiveType ?? ''));
    return !agreed && !!isMetered && await cost() > 0;
  }

  async function start() {
    const loaded = await getManifest();
    if (await mustAsk()) throw new EncoderError('ask', 'The connection is metered.');
    const onEnd = () => { running = null; };
    const embed = await startWorker(new URL(loaded.worker, base).href, { manifest: loaded, base, limit, onProgress, onEnd });
    return { embed, model: loaded.model };
  }

  return {
    cost,
    mustAsk,
    /** Record that the reader agreed to the download. */
    agree() { agreed = true; },
    /**
     * Load the encoder if necessary, and embed a question.
     * @param {string} text
     * @returns {Promise<Embedded & {model: string}>}
     * @throws {EncoderError}
     */
    async embed(text) {
      const starting = running ??= start();
      starting.catch(() => { if (running === starting) running = null; });
      const { embed, model } = await starting;
      return { ...await embed(text), model };
    },
  };
}

/** @typedef {ReturnType<typeof createEncoder>} Encoder */

/**
 * @param {string} url
 * @returns {Promise<EncoderManifest>}
 * @throws {EncoderError} `offline`; `broken` if the manifest is missing or has another format.
 */
async function loadManifest(url) {
  const response = await fetch(url, { cache: 'no-cache' }).catch((error) => { throw new EncoderError('offline', `${url}: ${error}`); });
  const manifest = response.ok && await response.json().catch(() => null); // Many hosts answer any path with an HTML page.
  if (!manifest) throw new EncoderError('broken', `${url} is missing. Build the index with --browser-encoder.`);
  if (manifest.format !== FORMAT) throw new EncoderError('broken', `${url} has format ${manifest.format}; the widget reads ${FORMAT}.`);
  return manifest;
}
