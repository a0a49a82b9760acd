/** A minimal static file server. */
import { once } from 'node:events';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.txt': 'text/plain' };

/** @typedef {{origin: string, close: () => Promise<void>}} Served */

/**
 * @param {string} folder
 * @param {string} baseUrl
 * @returns {Promise<Served>}
 */
export async function serveFolder(folder, baseUrl) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(folder, decodeURI(pathname).slice(baseUrl.length));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
    if (!pathname.startsWith(baseUrl) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[/** @type {keyof typeof TYPES} */ (extname(file))] ?? 'application/octet-stream';
    createReadStream(file).pipe(response.writeHead(200, { 'Content-Type': type }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}
