import { createParser } from 'eventsource-parser'; // The SSE grammar (BOM, CR, split chunks), 1.4 kB; no reason to own it.
import { breathe } from './breathe.js';

/**
 * @typedef {import('../types.js').ChatEvent} ChatEvent
 * @typedef {import('../types.js').ChatRequest} ChatRequest
 * @typedef {import('eventsource-parser').EventSourceMessage} SseMessage
 */

/** Silence, heartbeats included, after which a connection counts as dropped; heartbeats come far more often. */
const IDLE_TIMEOUT_MS = 45_000;

const READER_HEADER = 'Pincite-Reader';

/** A failure the reader is told of; `code` chooses the words. */
export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} [detail]
   * @param {number} [retryAfter]  Seconds.
   */
  constructor(code, detail, retryAfter) {
    super(detail ?? code);
    this.name = 'ApiError';
    this.code = code;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

/**
 * A client of one sidecar.
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

  /** A browser does not tell a sidecar that is down from one that has not allowed this site; only /health is for pages of any. */
  const keptOut = async () => (await canRead('/health')) && !(await canRead('/ready'));

  /**
   * @param {string} path
   * @param {object | undefined} body  Undefined: the path is read.
   * @param {{accept: string, signal?: AbortSignal}} options
   * @returns {Promise<Response>}
   * @throws {ApiError} With a code for each way a request can fail.
   */
  async function send(path, body, { accept, signal }) {
    const response = await request(() => fetch(root + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...(body && { 'Content-Type': 'application/json' }), Accept: accept, ...identity(token(), reader.get()) },
      body: JSON.stringify(body),
      signal,
    }), signal, keptOut);
    const issued = response.headers.get(READER_HEADER);
    if (issued) reader.set(issued);
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  return {
    /**
     * Ask a question; every part of its answer goes to `onEvent`, in order.
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

    /**
     * @param {string} messageId
     * @param {import('../types.js').Vote} vote
     * @returns {Promise<{comments_kept?: boolean}>}
     */
    async feedback(messageId, vote) {
      return readJson(await send('/api/feedback', { message_id: messageId, ...vote }, { accept: 'application/json' }));
    },

    /**
     * Where stable ids live now.
     * @param {string[]} ids
     * @param {import('../types.js').Scope} scope
     * @returns {Promise<Record<string, import('../types.js').ResolvedId>>}
     */
    async resolve(ids, scope) {
      return readJson(await send('/api/resolve', { ids, ...scope }, { accept: 'application/json' }));
    },

    /**
     * Questions that a page is known to answer.
     * @param {string} pageUrl
     * @param {import('../types.js').Scope} scope
     * @returns {Promise<string[]>}
     */
    async questions(pageUrl, { locale = '' }) {
      const query = new URLSearchParams({ page_url: pageUrl, ...(locale && { locale }) });
      return (await readJson(await send(`/api/questions?${query}`, undefined, { accept: 'application/json' }))).questions;
    },
  };
}

/** @typedef {ReturnType<typeof createApi>} Api */

/**
 * @param {string} token
 * @param {string | null} reader
 * @returns {Record<string, string>}
 */
function identity(token, reader) {
  return { ...(token && { Authorization: `Bearer ${token}` }), ...(reader && { [READER_HEADER]: reader }) };
}

/**
 * @param {() => Promise<Response>} send
 * @param {AbortSignal | undefined} signal
 * @param {() => Promise<boolean>} keptOut
 */
async function request(send, signal, keptOut) {
  try {
    return await send();
  } catch (error) {
    if (signal?.reason instanceof ApiError) throw signal.reason;
    throw new ApiError(await keptOut() ? 'cors' : 'unreachable', String(error));
  }
}

/**
 * @param {Response} response
 * @param {string} type
 */
function isType(response, type) {
  return (response.headers.get('Content-Type') ?? '').startsWith(type);
}

/** @param {Response} response */
async function readJson(response) {
  // A static host answers any path with a page: that is no sidecar.
  if (!isType(response, 'application/json')) throw new ApiError('unreachable', 'The address answers, but not as a sidecar.');
  try {
    return await response.json();
  } catch {
    throw new ApiError('interrupted');
  }
}

/** @param {Response} response */
async function problemOf(response) {
  const problem = isType(response, 'application/problem+json') ? await response.json().catch(() => ({})) : null;
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  if (response.status === 429) return new ApiError('rate_limited', problem?.detail, retryAfter);
  if (response.status === 401 || response.status === 403) return new ApiError('unauthorized', problem?.detail);
  if (!problem) return new ApiError('unreachable', `HTTP ${response.status}`);
  return new ApiError(problem.code ?? 'failed', problem.detail ?? problem.title, retryAfter);
}

/**
 * @param {Response} response
 * @param {(event: ChatEvent) => void} onEvent
 * @param {{touch: () => void, signal: AbortSignal}} idle
 */
async function readStream(response, onEvent, idle) {
  let finished = false;
  /** @type {SseMessage[]} */
  const received = [];
  const parser = createParser({ onEvent: (message) => { received.push(message); } });
  const take = (/** @type {SseMessage} */ { event, data }) => {
    const parsed = chatEvent(event, JSON.parse(data));
    if (!parsed) return;
    finished ||= parsed.type === 'end' || parsed.type === 'refusal';
    onEvent(parsed);
  };
  try {
    for await (const chunk of chunksOf(response)) {
      idle.touch();
      parser.feed(chunk);
      for (const message of received.splice(0)) {
        idle.signal.throwIfAborted();
        take(message);
        await breathe(); // A quoted answer comes all at once.
      }
    }
  } catch (error) {
    if (!finished) throw error instanceof ApiError ? error : new ApiError('interrupted', String(error));
  }
  if (!finished) throw new ApiError('interrupted');
}

/** @param {Response} response */
async function* chunksOf(response) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); // Safari cannot iterate a stream.
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/**
 * @param {string | undefined} name
 * @param {any} data
 * @returns {ChatEvent | null} Null for an event this version does not know.
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
 * An answer or refusal that came whole.
 * @param {any} object
 * @param {(event: ChatEvent) => void} onEvent
 */
export function emitReply(object, onEvent) {
  if (object.type === 'refusal') return onEvent({ type: 'refusal', refusal: object });
  if (object.type !== 'answer') throw new ApiError('unreachable', 'The address answers, but not as a sidecar.');
  const { answer, citations, ...rest } = object;
  onEvent({ type: 'start', head: rest });
  onEvent({ type: 'delta', text: answer });
  onEvent({ type: 'sources', citations });
  onEvent({ type: 'end', end: rest });
}

/**
 * Aborts when the reader does, or when nothing has come for a while.
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
