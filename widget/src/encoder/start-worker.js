import { EncoderError } from './failure.js';

/**
 * @typedef {import('./types.js').Embedded} Embedded
 * @typedef {import('./types.js').Report} Report
 * @typedef {{resolve: (value: any) => void, reject: (error: EncoderError) => void}} Waiting
 */

/** Where a site demands trusted types, it names this policy for the address of the worker. */
const POLICY = 'pincite-encoder';

/** What of a policy keeps a worker from starting. */
const DIRECTIVES = /^(?:worker|child|script|default)-src/u;

/**
 * Start a worker and have it load the encoder.
 * @param {string} url
 * @param {object} options
 * @param {import('./types.js').EncoderManifest} options.manifest
 * @param {string} options.base  The manifest's URL.
 * @param {number} options.limit  How long nothing may come from it while something is waited for, in milliseconds.
 * @param {(progress: import('./types.js').Progress) => void} options.onProgress
 * @param {() => void} options.onEnd  It failed, and is gone.
 * @returns {Promise<{embed: (text: string) => Promise<Embedded>, end: () => void}>}
 * @throws {EncoderError}
 */
export async function startWorker(url, { manifest, base, limit, onProgress, onEnd }) {
  const watch = watchPolicy(url);
  /** @type {Map<number, Waiting>} The one with number 0 waits for loading. */
  const waiting = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let asked = 0;
  const worker = open(url);
  worker.onmessage = ({ data }) => take(data);
  // Told before the violation of a policy is.
  worker.onerror = ({ message }) => setTimeout(() => fail(watch.failure() ?? new EncoderError('broken', message || `${url} cannot be loaded.`)));

  const wait = (/** @type {number} */ id, /** @type {import('./types.js').Order} */ order) => new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    rewind();
    worker.postMessage(order);
  });

  /** Begin to count anew; not while nothing is waited for. */
  function rewind() {
    clearTimeout(timer);
    if (waiting.size) timer = setTimeout(() => fail(new EncoderError('timeout', `Nothing came for ${limit} ms.`)), limit);
  }

  /** @param {Report} report */
  function take(report) {
    if (report.type === 'progress') onProgress(report.progress);
    else if (report.type === 'ready') settle(0, ({ resolve }) => resolve(undefined));
    else if (report.type === 'embedded') settle(report.id, ({ resolve }) => resolve(report.embedded));
    else if (report.id) settle(report.id, ({ reject }) => reject(new EncoderError(report.code, report.detail)));
    else fail(new EncoderError(report.code, report.detail));
    rewind();
  }

  /**
   * @param {number} id
   * @param {(waiting: Waiting) => void} how
   */
  function settle(id, how) {
    const one = waiting.get(id);
    waiting.delete(id);
    if (one) how(one);
  }

  /** @param {EncoderError} error */
  function fail(error) {
    end();
    onEnd();
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(error));
  }

  function end() {
    clearTimeout(timer);
    watch.stop();
    worker.terminate();
  }

  await wait(0, { type: 'load', manifest, base });
  return { embed: (text) => wait(++asked, { type: 'embed', id: asked, text }), end: () => fail(new EncoderError('timeout', 'It was ended.')) };
}

/**
 * @param {string} url
 * @throws {EncoderError} `unsupported`, `blocked`
 */
function open(url) {
  if (!globalThis.Worker || !globalThis.WebAssembly) throw new EncoderError('unsupported', 'This browser has no workers or no WebAssembly.');
  try {
    return new Worker(trusted(url), { type: 'module' });
  } catch (error) {
    throw new EncoderError('blocked', String(error));
  }
}

/**
 * The address as pages take it that demand trusted types; the site has written it.
 * @param {string} url
 * @returns {string}
 */
function trusted(url) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  policy ??= trustedTypes?.createPolicy(POLICY, { createScriptURL: (/** @type {string} */ own) => own });
  return policy?.createScriptURL(url) ?? url;
}

/** A policy of one name can be made once a page. @type {any} */
let policy;

/**
 * Notices when the page's policy keeps the worker from starting: the worker itself fails without a word.
 * @param {string} url
 */
function watchPolicy(url) {
  /** @type {EncoderError | null} */
  let failure = null;
  const notice = (/** @type {SecurityPolicyViolationEvent} */ { effectiveDirective, blockedURI }) => {
    if (!DIRECTIVES.test(effectiveDirective) || !url.startsWith(blockedURI)) return;
    failure = new EncoderError('blocked', `The Content-Security-Policy forbids the worker (${effectiveDirective}). Allow 'self'.`);
  };
  document.addEventListener('securitypolicyviolation', notice);
  return { failure: () => failure, stop: () => document.removeEventListener('securitypolicyviolation', notice) };
}
