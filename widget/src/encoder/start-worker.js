import { EncoderError } from './encoder-error.js';

/**
 * @import {Embedded, EncoderManifest, Order, Progress, Report} from './types.js'
 * @typedef {{resolve: (value: any) => void, reject: (error: EncoderError) => void}} Request
 */

/** A site that requires trusted types allows this policy name for the worker's URL. */
const POLICY = 'pincite-encoder';

/** Directives of a Content-Security-Policy that can block a worker. */
const DIRECTIVES = /^(?:worker|child|script|default)-src/u;

/**
 * Start a worker that loads the encoder, and return the function that embeds a text with it.
 * @param {string} url
 * @param {object} options
 * @param {EncoderManifest} options.manifest
 * @param {string} options.base  The manifest's URL.
 * @param {number} options.limit  A pending request fails if the worker sends nothing for this long, in milliseconds.
 * @param {(progress: Progress) => void} options.onProgress
 * @param {() => void} options.onEnd  Called after the worker failed and was terminated.
 * @returns {Promise<(text: string) => Promise<Embedded>>}
 * @throws {EncoderError}
 */
export async function startWorker(url, { manifest, base, limit, onProgress, onEnd }) {
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
  return (text) => send(++lastId, { type: 'embed', id: lastId, text });
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
