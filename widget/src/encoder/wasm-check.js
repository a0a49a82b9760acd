import { EncoderError } from './failure.js';

/** The smallest module there is. */
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

/** A module with one instruction on vectors, of which the runtime has many. */
const VECTORS = Uint8Array.of(...EMPTY, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/**
 * Before anything is fetched: whether WebAssembly runs here.
 * @throws {EncoderError} `unsupported`, or `blocked` where the page's policy forbids it.
 */
export function requireWebAssembly() {
  const { WebAssembly, DecompressionStream } = globalThis;
  if (!WebAssembly || !DecompressionStream) throw new EncoderError('unsupported', 'This browser has no WebAssembly.');
  try {
    new WebAssembly.Module(EMPTY);
  } catch (error) {
    throw new EncoderError('blocked', `${error} Add 'wasm-unsafe-eval' to script-src of the Content-Security-Policy.`);
  }
  if (!WebAssembly.validate(VECTORS)) throw new EncoderError('unsupported', 'This browser\'s WebAssembly has no vectors.');
}
