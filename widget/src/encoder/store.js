/** The encoder's files: fetched with progress, checked, and kept in Cache Storage under their hashes where there is one. */
import { sha256 as sha256WithoutSubtle } from '@noble/hashes/sha2.js'; // Pages over plain http have no `crypto.subtle`.
import { EncoderError } from './failure.js';

/** @typedef {import('./types.js').EncoderFile} EncoderFile */

const CACHE = 'pincite-encoder';

/** Says of a kept file which address of the site it was fetched from: another hash from there replaces it. */
const SOURCE_HEADER = 'Pincite-Source';

/** @returns {Promise<Cache | null>} Null where nothing can be kept: plain http, or a browser told to keep nothing. */
const openCache = () => Promise.resolve(globalThis.caches?.open(CACHE)).then((cache) => cache ?? null, () => null);

/** @param {EncoderFile} file */
const keyOf = ({ sha256 }) => new URL(`/.${CACHE}/${sha256}`, location.origin).href;

/**
 * How many bytes of some files would have to be fetched now.
 * @param {EncoderFile[]} files
 */
export async function bytesToFetch(files) {
  const cache = await openCache();
  const missing = await Promise.all(files.map(async (file) => (await cache?.match(keyOf(file)) ? 0 : file.bytes)));
  return missing.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * @param {EncoderFile} file
 * @param {string} base  The manifest's URL.
 * @param {(bytes: number) => void} onBytes  Told of each piece that has come; a kept file counts whole.
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 * @throws {EncoderError} `broken`, `offline`
 */
export async function loadFile(file, base, onBytes) {
  const cache = await openCache();
  const kept = await cache?.match(keyOf(file));
  if (kept) {
    const bytes = new Uint8Array(await kept.arrayBuffer());
    if (await hashOf(bytes) === file.sha256) return onBytes(bytes.length), bytes;
    await cache?.delete(keyOf(file));
  }
  const url = new URL(file.file, base).href;
  const bytes = await fetched(url, file, !!cache, onBytes);
  if (await hashOf(bytes) !== file.sha256) throw new EncoderError('broken', `${url} is not the file that the manifest names.`);
  if (cache) await keep(cache, url, file, bytes);
  return bytes;
}

/**
 * @param {string} url
 * @param {EncoderFile} file
 * @param {boolean} isKept  Then it is not to lie in the browser's other cache as well, which may also hold one of before.
 * @param {(bytes: number) => void} onBytes
 */
async function fetched(url, file, isKept, onBytes) {
  const all = new Uint8Array(file.bytes);
  let length = 0;
  try {
    const response = await fetch(url, { cache: isKept ? 'no-store' : 'no-cache' });
    if (!response.ok) throw new EncoderError('broken', `${url}: HTTP ${response.status}`);
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (length + next.value.length > file.bytes) throw new EncoderError('broken', `${url} is longer than the manifest says.`);
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

/**
 * Keep a file, and drop what was kept from the same address; where there is no room it is fetched again next time.
 * @param {Cache} cache
 * @param {string} url
 * @param {EncoderFile} file
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function keep(cache, url, file, bytes) {
  try {
    for (const key of await cache.keys()) {
      if ((await cache.match(key))?.headers.get(SOURCE_HEADER) === url) await cache.delete(key);
    }
    await cache.put(keyOf(file), new Response(bytes, { headers: { [SOURCE_HEADER]: url } }));
  } catch {
    // Without it, it is fetched again.
  }
}
