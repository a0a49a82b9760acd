import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Start a sidecar that plays scripts over HTTP, one for each question.
 * @typedef {{method: string, path: string, headers: import('node:http').IncomingHttpHeaders, body: any}} Received
 * @typedef {(reply: Reply, received: Received) => void | Promise<void>} Script
 * @typedef {ReturnType<typeof createReply>} Reply
 */

/**
 * @param {object} [options]
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => boolean}
 *   [options.files]
 *   Serves other paths than the API's; returns false if there is no such file.
 */
export async function startSidecar({ files = () => false } = {}) {
  /** @type {Script[]} */
  const scripts = [];
  /** @type {Received[]} */
  const received = [];
  /** @type {Record<string, unknown>} */
  const fixed = { '/api/feedback': {}, '/api/resolve': {}, '/api/questions': { questions: [] } };

  const server = createServer(async (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*, Authorization');
    response.setHeader('Access-Control-Expose-Headers', 'Pincite-Reader, Retry-After');
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    if (path === '/api/questions') return createReply(response).json(fixed[path]);
    if (request.method !== 'POST') return files(request, response) || response.writeHead(404).end();
    const text = await bodyOf(request);
    const message = { method: 'POST', path, headers: request.headers, body: JSON.parse(text) };
    received.push(message);
    if (path in fixed) return createReply(response).json(fixed[path]);
    const script = scripts.shift();
    if (path !== '/api/chat' || !script) return response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>Not found</p>');
    return script(createReply(response), message);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(undefined)); });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());

  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    /** @param {Script} script */
    next: (script) => { scripts.push(script); },
    /**
     * @param {string} path
     * @param {unknown} body
     */
    always: (path, body) => { fixed[path] = body; },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => { server.close(resolve); });
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof startSidecar>>} Sidecar */

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** @param {import('node:http').ServerResponse} response */
function createReply(response) {
  return {
    /**
     * @param {unknown} object
     * @param {{status?: number, type?: string, headers?: Record<string, string>}} [options]
     */
    json(object, { status = 200, type = 'application/json', headers = {} } = {}) {
      response.writeHead(status, { 'Content-Type': type, ...headers }).end(JSON.stringify(object));
    },
    /** @param {Record<string, string>} [headers] */
    startStream(headers = {}) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform', ...headers });
    },
    /** @param {string | Uint8Array} bytes  Sent as one chunk. */
    raw(bytes) {
      response.write(bytes);
    },
    /**
     * @param {string} name
     * @param {unknown} data
     */
    event(name, data) {
      response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    heartbeat() {
      response.write(': ping\n\n');
    },
    end() {
      response.end();
    },
    /** Close the connection like a lost network. */
    drop() {
      response.destroy();
    },
    wait,
  };
}
