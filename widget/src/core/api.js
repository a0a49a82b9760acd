/** HTTP client of one sidecar. */
import { createParser } from 'eventsource-parser'; // SSE grammar (BOM, CR, split chunks) in 1.4 kB.
import { yieldToMain } from './yield-to-main.js';

/**
 * @import {ChatEvent, ChatRequest, ResolvedId, Scope, Vote} from '../types.js'
 * @import {EventSourceMessage} from 'eventsource-parser'
 */

/** A connection that sends nothing for this long counts as dropped. Heartbeats arrive far more often. */
const IDLE_TIMEOUT_MS = 45_000;

const READER_HEADER = 'Pincite-Reader';

/** Read a JSON reply as JSON, not as a stream of events. */
const JSON_ONLY = { accept: 'application/json' };

/** A request that failed. `code` selects the message that the reader sees. */
export class ApiError extends Error {
  /** @param {string} code @param {string} [detail] @param {number} [retryAfter]  Seconds. */
  constructor(code, detail, retryAfter) {
    super(detail ?? code);
    this.name = 'ApiError';
    this.code = code;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

/**
 * @param {object} options
 * @param {string} options.base  The sidecar's base URL; empty for the page's own origin.
 * @param {() => string} options.token  The bearer token of private docs, or ''.
 * @param {{get: () => string | null, set: (value: string) => void}} options.reader  The anonymous reader's token.
 * @param {typeof globalThis.fetch} [options.fetch]
 * @param {number} [options.idleTimeout]  Milliseconds.
 */
export function createApi({ base, token, reader, fetch = globalThis.fetch, idleTimeout = IDLE_TIMEOUT_MS }) {
  const root = base.replace(/\/+$/u, '');

  const canRead = (/** @type {string} */ path) => fetch(root + path).then(() => true, () => false);

  /**
   * @param {string} path
   * @param {object | undefined} body  Undefined sends a GET request.
   * @param {{accept: string, signal?: AbortSignal}} options
   * @throws {ApiError} With a code for each way in which a request can fail.
   */
  async function send(path, body, { accept, signal }) {
    const [bearer, readerToken] = [token(), reader.get()];
    const response = await fetch(root + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        Accept: accept,
        ...(bearer && { Authorization: `Bearer ${bearer}` }),
        ...(readerToken && { [READER_HEADER]: readerToken }),
      },
      body: JSON.stringify(body),
      signal,
    }).catch(async (error) => {
      if (signal?.reason instanceof ApiError) throw signal.reason;
      // Browsers report a CORS refusal like a sidecar that is down. Every origin may read /health, only allowed ones /ready.
      const isForbidden = (await canRead('/health')) && !(await canRead('/ready'));
      throw new ApiError(isForbidden ? 'cors' : 'unreachable', String(error));
    });
    const issued = response.headers.get(READER_HEADER);
    if (issued) reader.set(issued);
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  return {
    /**
     * Ask a question and pass each part of its answer to `onEvent`, in order.
     * @param {ChatRequest} body
     * @param {{onEvent: (event: ChatEvent) => void, signal: AbortSignal}} options
     * @returns {Promise<void>} Resolves when the answer or refusal is complete.
     * @throws {ApiError} `stopped`, `interrupted`, `unreachable`, `cors`, `rate_limited`, or the server's own code.
     */
    async chat(body, { onEvent, signal }) {
      const idle = createIdleTimer(idleTimeout, signal);
      try {
        const response = await send('/api/chat', body, { accept: 'text/event-stream, application/json', signal: idle.signal });
        if (isType(response, 'text/event-stream')) await readStream(response, onEvent, idle);
        else emitReply(await readJson(response), onEvent);
      } catch (error) {
        throw signal.aborted ? new ApiError('stopped') : error;
      } finally {
        idle.stop();
      }
    },

    /** @param {string} messageId @param {Vote} vote @returns {Promise<{comments_kept?: boolean}>} */
    feedback: async (messageId, vote) => readJson(await send('/api/feedback', { message_id: messageId, ...vote }, JSON_ONLY)),

    /**
     * Return the current location of stable IDs.
     * @param {string[]} ids
     * @param {Scope} scope
     * @returns {Promise<Record<string, ResolvedId>>}
     */
    resolve: async (ids, scope) => readJson(await send('/api/resolve', { ids, ...scope }, JSON_ONLY)),

    /** Return questions that a page is known to answer. @param {string} pageUrl @param {Scope} scope @returns {Promise<string[]>} */
    async questions(pageUrl, { locale = '' }) {
      const query = new URLSearchParams({ page_url: pageUrl, ...(locale && { locale }) });
      return (await readJson(await send(`/api/questions?${query}`, undefined, JSON_ONLY))).questions;
    },
  };
}

/** @typedef {ReturnType<typeof createApi>} Api */

/** @param {Response} response @param {string} type */
function isType(response, type) {
  return (response.headers.get('Content-Type') ?? '').startsWith(type);
}

/** @param {Response} response */
async function readJson(response) {
  // A static host may answer any path with an HTML page.
  if (!isType(response, 'application/json')) throw notASidecar();
  try {
    return await response.json();
  } catch {
    throw new ApiError('interrupted');
  }
}

const notASidecar = () => new ApiError('unreachable', 'The server at the address in the attribute api is not a Pincite sidecar.');

/** @param {Response} response */
async function problemOf(response) {
  const problem = isType(response, 'application/problem+json') ? await response.json().catch(() => ({})) : null;
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  if (response.status === 429) return new ApiError('rate_limited', problem?.detail, retryAfter);
  if (response.status === 401 || response.status === 403) return new ApiError('unauthorized', problem?.detail);
  if (!problem) return new ApiError('unreachable', `HTTP ${response.status}`);
  return new ApiError(problem.code ?? 'failed', problem.detail ?? problem.title, retryAfter);
}

/** @param {Response} response @param {(event: ChatEvent) => void} onEvent @param {{touch: () => void, signal: AbortSignal}} idle */
async function readStream(response, onEvent, idle) {
  let finished = false;
  /** @type {EventSourceMessage[]} */
  const received = [];
  const parser = createParser({ onEvent: (message) => { received.push(message); } });
  try {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader(); // Safari cannot iterate a stream.
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      idle.touch();
      parser.feed(next.value);
      for (const { event, data } of received.splice(0)) {
        idle.signal.throwIfAborted();
        const parsed = chatEvent(event, JSON.parse(data));
        if (parsed) {
          finished ||= parsed.type === 'end' || parsed.type === 'refusal';
          onEvent(parsed);
        }
        await yieldToMain(); // An extractive answer arrives in one chunk.
      }
    }
  } catch (error) {
    if (!finished) throw error instanceof ApiError ? error : new ApiError('interrupted', String(error));
  }
  if (!finished) throw new ApiError('interrupted');
}

/**
 * @param {string | undefined} name
 * @param {any} data
 * @returns {ChatEvent | null} Null for an event that this version does not know.
 * @throws {ApiError} For the server's `error` event.
 */
function chatEvent(name, data) {
  switch (name) {
    case 'status': return { type: 'status', status: data };
    case 'answer_start': return { type: 'start', head: data };
    case 'answer_delta': return { type: 'delta', text: data.text };
    case 'sources': return { type: 'sources', citations: data.citations };
    case 'answer_end': return { type: 'end', end: data };
    case 'refusal': return { type: 'refusal', refusal: data };
    case 'error': throw new ApiError(data.code ?? 'failed', data.message);
    default: return null;
  }
}

/**
 * Emit the events of an answer or refusal that arrived as one JSON object.
 * @param {any} object
 * @param {(event: ChatEvent) => void} onEvent
 */
export function emitReply(object, onEvent) {
  if (object.type === 'refusal') return onEvent({ type: 'refusal', refusal: object });
  if (object.type !== 'answer') throw notASidecar();
  const { answer, citations, ...rest } = object;
  onEvent({ type: 'start', head: rest });
  onEvent({ type: 'delta', text: answer });
  onEvent({ type: 'sources', citations });
  onEvent({ type: 'end', end: rest });
}

/**
 * Create a signal that aborts when the reader stops the answer, or after `timeout` without data.
 * @param {number} timeout  Milliseconds.
 * @param {AbortSignal} readerSignal
 */
function createIdleTimer(timeout, readerSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort(new ApiError('stopped'));
  const expire = () => controller.abort(new ApiError('interrupted'));
  let timer = setTimeout(expire, timeout);
  readerSignal.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    touch() {
      clearTimeout(timer);
      timer = setTimeout(expire, timeout);
    },
    stop() {
      clearTimeout(timer);
      readerSignal.removeEventListener('abort', abort);
    },
  };
}
