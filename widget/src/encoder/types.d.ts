/** What the encoder's parts tell each other. */

/** A file that the encoder needs: its URL relative to the manifest, and what it must be. */
export interface EncoderFile {
  file: string;
  /** Of the file's bytes, in hex. */
  sha256: string;
  bytes: number;
}

/** `encoder/manifest.json` of an index folder (`pincite_indexer/browser_encoder.py`). */
export interface EncoderManifest {
  format: number;
  /** The model's name, to be sent along with an embedding. */
  model: string;
  dimension: number;
  /** How many tokens the model reads of a text. */
  max_tokens: number;
  /** What goes before a question. */
  prompt: string;
  /** Words that say nothing of a question's subject, separated by blanks. */
  stop_words: string;
  /** The worker's URL relative to the manifest. */
  worker: string;
  files: { wasm: EncoderFile; encoder: EncoderFile; tokenizer: EncoderFile };
}

/** What the model makes of a question. */
export interface Embedded {
  /** Unit length; shape (dimension,). */
  vector: Float32Array;
  /** The last states of its content tokens, row-major; shape (tokens, hidden). Empty where the model gives none. */
  states: Float32Array;
  hidden: number;
  /** The same as the index keeps them, each of length 1, row-major; shape (tokens, 64). */
  tokens: Float32Array;
}

/** How far loading is, in bytes; `starting` when all is there and the model is being started. */
export interface Progress {
  loaded: number;
  total: number;
  starting: boolean;
}

/** What the page tells the worker. */
export type Order =
  | { type: 'load'; manifest: EncoderManifest; base: string }
  | { type: 'embed'; id: number; text: string };

/** What the worker tells the page; a failure without an id is one of loading. */
export type Report =
  | { type: 'progress'; progress: Progress }
  | { type: 'ready' }
  | { type: 'embedded'; id: number; embedded: Embedded }
  | { type: 'failed'; id?: number; code: FailureCode; detail: string };

/**
 * `timeout`: nothing came for 15 seconds. `unsupported`: the browser cannot run it. `blocked`: the site's policy forbids it.
 * `broken`: a file is missing or is not what the build wrote. `offline`: the site cannot be reached. `ask`: the connection is
 * metered, and the reader has not agreed.
 */
export type FailureCode = 'timeout' | 'unsupported' | 'blocked' | 'broken' | 'offline' | 'ask';
