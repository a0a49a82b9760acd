import { EncoderError } from './failure.js';

/** The format that is read here (`pincite_indexer/browser_encoder.py`). */
const FORMAT = 1;

/**
 * @param {string} url
 * @returns {Promise<import('./types.js').EncoderManifest>}
 * @throws {EncoderError} `offline`; `broken` where the site has none, or one of another format.
 */
export async function loadManifest(url) {
  const response = await fetch(url, { cache: 'no-cache' }).catch((error) => { throw new EncoderError('offline', `${url}: ${error}`); });
  const manifest = response.ok && await response.json().catch(() => null); // Many hosts answer any address with a page.
  if (!manifest) throw new EncoderError('broken', `${url} is missing: build the index with --browser-encoder.`);
  if (manifest.format !== FORMAT) throw new EncoderError('broken', `${url} has format ${manifest.format}; this reads ${FORMAT}.`);
  return manifest;
}
