/** The page's side of the encoder: a worker in the reader's browser turns questions into vectors. */
import { EncoderError } from './encoder-error.js';
import { bytesToFetch } from './store.js';

/**
 * @import {Embedded, EncoderManifest, Order, Progress, Report} from './types.js'
 * @typedef {{resolve: (value: any) => void, reject: (error: EncoderError) => void}} Request
 */

/** The manifest format that this module reads (`pincite_indexer/browser_encoder.py`). */
const FORMAT = 1;

/** Loading fails if nothing arrives for this long, in milliseconds. */
const LIMIT_MS = 15_000;

/** A site that requires trusted types allows this policy name for the worker's URL. */
const POLICY = 'pincite-encoder';

/** Directives of a Content-Security-Policy that can block a worker. */
const DIRECTIVES = /^(?:worker|child|script|default)-src/u;

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
    const isSlow = SLOW.includes(connection?.effectiveType ?? '');
    const isMetered = connection?.saveData || connection?.type === 'cellular';
    return !agreed && !!(isSlow || isMetered) && await cost() > 0;
  }

  async function start() {
    const loaded = await getManifest();
    if (await mustAsk()) throw new EncoderError('ask', 'The connection is metered.');
    const onEnd = () => { running = null; };
    const worker = await startWorker(new URL(loaded.worker, base).href, { manifest: loaded, base, limit, onProgress, onEnd });
    return { ...worker, model: loaded.model };
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
    /** Terminate the worker and release its memory; the next call starts another one. */
    async close() {
      const started = running;
      running = null;
      (await started?.catch(() => null))?.end();
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

/**
 * Start a worker that loads the encoder and embeds texts with it.
 * @param {string} url
 * @param {object} options
 * @param {EncoderManifest} options.manifest
 * @param {string} options.base  The manifest's URL.
 * @param {number} options.limit  A pending request fails if the worker sends nothing for this long, in milliseconds.
 * @param {(progress: Progress) => void} options.onProgress
 * @param {() => void} options.onEnd  Called after the worker failed and was terminated.
 * @returns {Promise<{embed: (text: string) => Promise<Embedded>, end: () => void}>}
 * @throws {EncoderError}
 */
async function startWorker(url, { manifest, base, limit, onProgress, onEnd }) {
  /** @type {EncoderError | null} */
  let violation = null;
  /** Number 0 is the request to load. @type {Map<number, Request>} */
  const pending = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let lastId = 0;
  document.addEventListener('securitypolicyviolation', onViolation);
  const worker = openWorker(url);
  worker.onmessage = ({ data }) => receive(data);
  // The error event comes before the event of a policy violation, and names no reason.
  worker.onerror = ({ message }) => setTimeout(() => fail(violation ?? new EncoderError('broken', message || `${url} cannot be loaded.`)));

  /** @param {SecurityPolicyViolationEvent} event */
  function onViolation({ effectiveDirective, blockedURI }) {
    if (!DIRECTIVES.test(effectiveDirective) || !url.startsWith(blockedURI)) return;
    violation = new EncoderError('blocked', `The Content-Security-Policy forbids the worker (${effectiveDirective}). Allow 'self'.`);
  }

  const send = (/** @type {number} */ id, /** @type {Order} */ order) => new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    restartTimer();
    worker.postMessage(order);
  });

  function restartTimer() {
    clearTimeout(timer);
    if (pending.size) timer = setTimeout(() => fail(new EncoderError('timeout', `The encoder sent nothing for ${limit} ms.`)), limit);
  }

  /** @param {Report} report */
  function receive(report) {
    if (report.type === 'progress') onProgress(report.progress);
    else if (report.type === 'ready') take(0)?.resolve(undefined);
    else if (report.type === 'embedded') take(report.id)?.resolve(report.embedded);
    else if (report.id) take(report.id)?.reject(new EncoderError(report.code, report.detail));
    else fail(new EncoderError(report.code, report.detail));
    restartTimer();
  }

  /** @param {number} id */
  function take(id) {
    const request = pending.get(id);
    pending.delete(id);
    return request;
  }

  /** @param {EncoderError} error */
  function fail(error) {
    clearTimeout(timer);
    document.removeEventListener('securitypolicyviolation', onViolation);
    worker.terminate();
    onEnd();
    for (const id of [...pending.keys()]) take(id)?.reject(error);
  }

  await send(0, { type: 'load', manifest, base });
  return {
    embed: (text) => send(++lastId, { type: 'embed', id: lastId, text }),
    end: () => fail(new EncoderError('timeout', 'The encoder was closed.')),
  };
}

/**
 * @param {string} url
 * @throws {EncoderError} `unsupported`, `blocked`
 */
function openWorker(url) {
  if (!globalThis.Worker || !globalThis.WebAssembly) throw new EncoderError('unsupported', 'This browser has no workers or no WebAssembly.');
  try {
    const { trustedTypes } = /** @type {any} */ (globalThis);
    policy ??= trustedTypes?.createPolicy(POLICY, { createScriptURL: (/** @type {string} */ siteUrl) => siteUrl });
    return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' });
  } catch (error) {
    throw new EncoderError('blocked', String(error));
  }
}

/** A page can create a policy of one name only once. @type {any} */
let policy;
