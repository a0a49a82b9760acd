/** Messages and files of the encoder. */

/** A file that the encoder needs. */
export interface EncoderFile {
  /** Its URL relative to the manifest. */
  file: string;
  /** Of the file's bytes, in hex. */
  sha256: string;
  bytes: number;
}

/** `encoder/manifest.json` of an index folder (`pincite_indexer/browser_encoder.py`). */
export interface EncoderManifest {
  format: number;
  /** The model's name, sent with an embedding. */
  model: string;
  dimension: number;
  /** The model truncates longer texts. */
  max_tokens: number;
  /** Prefix of each question. */
  prompt: string;
  /** Separated by blanks. */
  stop_words: string;
  /** The worker's URL relative to the manifest. */
  worker: string;
  files: { wasm: EncoderFile; encoder: EncoderFile; tokenizer: EncoderFile };
}

/** The embedding of a question. */
export interface Embedded {
  /** Unit length; shape (dimension,). */
  vector: Float32Array;
  /** The last states of its content tokens, row-major; shape (tokens, hidden). Empty if the model returns none. */
  states: Float32Array;
  hidden: number;
  /** The states in the format of the index, unit-length rows, row-major; shape (tokens, 64). */
  tokens: Float32Array;
}

/** Progress of loading, in bytes; `starting` once all files are there and the model starts. */
export interface Progress {
  loaded: number;
  total: number;
  starting: boolean;
}

/** Messages from the page to the worker. */
export type Order =
  | { type: 'load'; manifest: EncoderManifest; base: string }
  | { type: 'embed'; id: number; text: string };

/** Messages from the worker to the page. A failure without an ID is one of loading. */
export type Report =
  | { type: 'progress'; progress: Progress }
  | { type: 'ready' }
  | { type: 'embedded'; id: number; embedded: Embedded }
  | { type: 'failed'; id?: number; code: FailureCode; detail: string };

/**
 * `timeout`: nothing arrived for 15 seconds. `unsupported`: the browser cannot run it. `blocked`: the site's policy forbids
 * it. `broken`: a file is missing or differs from the build's. `offline`: the site cannot be reached. `ask`: the connection
 * is metered, and the reader has not agreed.
 */
export type FailureCode = 'timeout' | 'unsupported' | 'blocked' | 'broken' | 'offline' | 'ask';
