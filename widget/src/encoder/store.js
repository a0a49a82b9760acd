/** Fetches the encoder's files with progress, verifies their hashes and keeps them in Cache Storage if there is one. */
import { sha256 as sha256WithoutSubtle } from '@noble/hashes/sha2.js'; // Pages over plain http have no `crypto.subtle`.
import { EncoderError } from './encoder-error.js';

/** @import {EncoderFile} from './types.js' */

const CACHE = 'pincite-encoder';

/** The URL of a cached file. A new file from the same URL replaces it. */
const SOURCE_HEADER = 'Pincite-Source';

/** @returns {Promise<Cache | null>} Null over plain http, or if the browser stores nothing. */
const openCache = () => Promise.resolve(globalThis.caches?.open(CACHE)).then((cache) => cache ?? null, () => null);

/** @param {EncoderFile} file */
const keyOf = ({ sha256 }) => new URL(`/.${CACHE}/${sha256}`, location.origin).href;

/** Return the bytes of the files that are not cached. @param {EncoderFile[]} files */
export async function bytesToFetch(files) {
  const cache = await openCache();
  const missing = await Promise.all(files.map(async (file) => (await cache?.match(keyOf(file)) ? 0 : file.bytes)));
  return missing.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Return a file from the cache, or fetch it.
 * @param {EncoderFile} file
 * @param {string} base  The manifest's URL.
 * @param {(bytes: number) => void} onBytes  Called for each piece; once for a cached file.
 * @throws {EncoderError} `broken`, `offline`
 */
export async function loadFile(file, base, onBytes) {
  const cache = await openCache();
  const cached = await cache?.match(keyOf(file));
  if (cached) {
    const bytes = new Uint8Array(await cached.arrayBuffer());
    if (await hashOf(bytes) === file.sha256) return onBytes(bytes.length), bytes;
    await cache?.delete(keyOf(file));
  }
  const url = new URL(file.file, base).href;
  const bytes = await download(url, file.bytes, !!cache, onBytes);
  if (await hashOf(bytes) !== file.sha256) throw new EncoderError('broken', `${url} differs from the file that the manifest names.`);
  if (!cache) return bytes;
  try {
    for (const key of await cache.keys()) { // Earlier files from the same URL are replaced.
      if ((await cache.match(key))?.headers.get(SOURCE_HEADER) === url) await cache.delete(key);
    }
    await cache.put(keyOf(file), new Response(bytes, { headers: { [SOURCE_HEADER]: url } }));
  } catch {
    // Without space in the cache, the file is fetched again next time.
  }
  return bytes;
}

/**
 * @param {string} url
 * @param {number} size  Bytes.
 * @param {boolean} hasCache  Then the HTTP cache is not used: it would be a second copy, and may be outdated.
 * @param {(bytes: number) => void} onBytes
 */
async function download(url, size, hasCache, onBytes) {
  const all = new Uint8Array(size);
  let length = 0;
  try {
    const response = await fetch(url, { cache: hasCache ? 'no-store' : 'no-cache' });
    if (!response.ok) throw new EncoderError('broken', `${url}: HTTP ${response.status}`);
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (length + next.value.length > size) throw new EncoderError('broken', `${url} is longer than the manifest says.`);
      all.set(next.value, length);
      length += next.value.length;
      onBytes(next.value.length);
    }
  } catch (error) {
    throw error instanceof EncoderError ? error : new EncoderError('offline', `${url}: ${error}`);
  }
  return all.subarray(0, length);
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function hashOf(bytes) {
  const { subtle } = globalThis.crypto;
  const hash = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : sha256WithoutSubtle(bytes);
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
