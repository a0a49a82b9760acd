/** What answering in the browser works on: an opened library, a query, what a search found. */

import type { ScopeEntry, Shard } from '../search/shard.js';
import type { Manifest } from '../search/files.js';

export type { Section } from '../search/shard.js';

/** The JSON of a file of the folder `search/`, by its name. */
export type Load = (file: string) => Promise<any>;

/** The bytes of a file of the folder `search/`, by its name. */
export type LoadBytes = (file: string) => Promise<ArrayBuffer>;

/** A question as the encoder gives it; null where there is none, and words stand alone. */
export interface Embedded {
  /** Unit length. */
  vector: Float32Array;
  /** Of the content tokens, row-major; empty where the model gives none. */
  states: Float32Array;
  /** Length of a row of `states`. */
  hidden: number;
}

/** The weights of a logistic over the signals. */
export interface Calibration extends Signals {
  bias: number;
}

/** What a search says of its own success (`pincite_core.search.evidence`). */
export interface Signals {
  best_chunk: number;
  best_sentence: number;
  top5_mean: number;
  coverage: number;
  bm25: number;
  unknown_name: number;
}

/** What the build found out about a locale. */
export interface Spoken {
  /** Parts in all its versions, and how many terms they have on average. */
  parts: number;
  average: number;
  /** What its rankers by vectors are worth, 0 to 1. */
  vectors: number;
  calibration: Calibration;
  /** For words alone. */
  words_calibration: Calibration;
}

/** `answers` of the manifest: what is the same for all scopes. */
export interface AnswersFacts {
  model: string;
  dimension: number;
  prompts: { query: string; passage: string };
  /** Components of a token's vector, and the signs that its states are projected by: a hexadecimal digit four of them. */
  tokens: { dimension: number; signs: string; hidden: number } | null;
  threshold: number;
  cosine_threshold: number;
  languages: Record<string, Spoken>;
  tables: AnswersTables;
}

/** `answers.tables`: weights, patterns and lists of words (`static_search/answers.py`). */
export interface AnswersTables {
  fusion: Record<string, number>;
  text_alone: number;
  named_bonus: number;
  priors: Record<string, number>;
  /** Regular expressions, by name, as Python and JavaScript both read them. */
  patterns: Record<string, string>;
  /** By primary language, terms that say nothing of a subject. */
  small_terms: Record<string, string>;
  /** What may stand between two parts of a compound, by primary language. */
  links: Record<string, string[]>;
  /** Primary languages that write all nouns with capitals. */
  names_nouns: string[];
}

/** A scope as the manifest names it, with the files for answers. */
export interface AnswerEntry extends ScopeEntry {
  places: string[];
  vectors: string[];
  tokens: string[];
  codes: string[];
  /** Facts of units; cut as `texts` are. */
  units: string[];
}

/** One scope's files; `places`, `vectors` and `tokens` are loaded when they are first asked for, and once. */
export interface AnswerShard extends Shard {
  entry: AnswerEntry;
  /** The terms by their numbers, which `postings` takes. */
  terms: string[];
  /** The number of a term; undefined for one that the scope does not have. */
  termNumber(term: string): number | undefined;
  /** Terms of each part in all columns. */
  wholeLengths: ArrayLike<number>;
  vectors(): Promise<ShardVectors>;
}

/** The vectors of a scope, and whose they are. */
export interface ShardVectors {
  dimension: number;
  /** int8, row-major. */
  rows: Int8Array;
  /** The row of each part's vector. */
  ofParts: Int32Array;
  /** The first unit's place in `ofUnits` of each part, and the number of all at the end. */
  firstUnits: Int32Array;
  /** The row of each unit's vector, -1 for one without: unit `u` of part `p` stands at `firstUnits[p] + u`. */
  ofUnits: Int32Array;
  /** The row of each section's title, -1 for none. */
  ofTitles: Int32Array;
}

/** Scopes that are searched together, opened. */
export interface Library {
  manifest: Manifest & { answers: AnswersFacts };
  facts: AnswersFacts;
  shards: AnswerShard[];
  /** BCP 47 tag of the scopes' locale, and its primary language. */
  locale: string;
  language: string;
  spoken: Spoken;
}

/** A question cut into what the rankers understand (`pincite_core.search.query`). */
export interface Query {
  /** What is embedded: the question without tracker prefixes, stack frames and the marks of code fences. */
  text: string;
  terms: string[];
  codes: string[];
  names: string[];
  /** Primary language of the docs. */
  language: string;
}

/** A section that may answer. */
export interface RankedSection {
  shard: AnswerShard;
  /** Its number in the shard. */
  section: number;
  /** Its best part. */
  part: number;
  /** The part's nearest unit; null when none has a vector, or with words alone. */
  unit: number | null;
  /** Whether a reader lands on the unit's own target, as one that is nearer than its part, and not on the section's. */
  landsOnUnit: boolean;
  /** The fused score, 0 to 1. */
  score: number;
  /** The part's; 0 with words alone. */
  cosine: number;
  /** Mean cosine of the question's tokens to the part's nearest ones; null without tokens. */
  words: number | null;
}

export interface SearchResult {
  query: Query;
  /** Best first. */
  sections: RankedSection[];
  signals: Signals;
  /** Inverse document frequency of each of the query's terms, in their order. */
  rarity: Map<string, number>;
  /** How far the nearest part is above the mean of the candidates, in standard deviations. */
  standingOut: number;
  /** The probability, 0 to 1, that the docs hold the answer. */
  evidence: number;
}

/** `openLibrary`, of `answering/library.js`. */
export type OpenLibrary = (from: { load: Load; loadBytes: LoadBytes; place: import('../types.js').Scope }) => Promise<Library>;

/** `parseQuery`, of `answering/query.js`: `query.text` is what is embedded. */
export type ParseQuery = (library: Library, text: string) => Query;

/** `search`, of `answering/ranking.js`. */
export type Search = (library: Library, text: string, embedded: Embedded | null, k: number) => Promise<SearchResult>;

/** `cosines`, of `answering/cosines.js`: of a unit vector with some rows, or all; 0 for the row -1. */
export type Cosines = (vector: Float32Array, vectors: ShardVectors, rows?: ArrayLike<number>) => Float32Array;

/** `termsOf`, of `answering/terms.js`: what a text of the docs or of a reader is found by, in order, with repeats. */
export type TermsOf = (library: Library, text: string) => string[];
