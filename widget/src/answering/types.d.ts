/** Records of answering in the browser. Most types are those of the functions that make them. */

import type { Manifest } from '../search/files.js';
import type { ScopeEntry, Shard } from '../search/shard.js';
import type { ChatRequest } from '../types.js';
import type { citePlace } from './citations.js';
import type { answerReply, headOf, refusalReply } from './replies.js';

/** The JSON, or the bytes, of a file of the folder `search/`. */
export type Load = (file: string) => Promise<any>;
export type LoadBytes = (file: string) => Promise<ArrayBuffer>;

/** Unit vectors of passages, in order. */
export type Encode = (texts: string[]) => Promise<Float32Array[]>;

/** A question from the encoder: its unit vector, and the states of its content tokens, row-major in rows of `hidden`. */
export type Embedded = { vector: Float32Array; states: Float32Array; hidden: number };

/** Signals of the evidence of a search (`pincite_core/search/evidence.py`) by name, and the weights of a logistic over them; a missing signal is 0. */
export type Signals = Record<string, number>;
export type Calibration = Signals & { bias: number };

/** The file that the manifest names as `answers`, for all scopes (`browser_bundle/answers.py`). */
export interface AnswersFacts {
  dimension: number;
  prompts: { query: string; passage: string };
  /** How states become vectors of tokens: signs of `hidden` rows, Base64; null for a model without tokens. */
  tokens: { dimension: number; hidden: number; signs: string } | null;
  title: string;
  likelihood: Record<string, number>;
  /** The file of each language's forms and messages; the empty name is of all languages. */
  phrases: Record<string, string>;
  threshold: number;
  /** By locale. `parts` and `average` length count all versions; `vectors` is the dense weight. */
  languages: Record<string, { parts: number; average: number; vectors: number; calibration: Calibration; words_calibration: Calibration }>;
  /** By primary language: stop terms, linking elements of compounds; and the languages that write nouns with capitals. */
  small_terms: Record<string, string>;
  links: Record<string, string[]>;
  names_nouns: string[];
}

/** A scope as the manifest names it, with the files for answers. */
export type AnswerEntry = ScopeEntry & Record<'exact' | 'units' | 'places' | 'vectors' | 'tokens', string[]> & { questions?: string[] };

export type Column = 'body' | 'headings' | 'page' | 'links' | 'code';

/** The file `exact` (`browser_bundle/exact.py`): counts of terms and codes that exceed those of postings, and of all versions. */
export interface ExactFile {
  lengths: number[];
  /** The parts of a line or two. */
  brief: number[];
  codes: string[];
  postings: number[][];
  over: Record<Column, number[]>;
  found?: number[][];
  found_codes?: number[][];
}

/** The parts with a term in a column, ascending, and how often each has it. */
export type Counts = { parts: number[]; times: number[] };

/** A term in all opened scopes; `anywhere` and `found` count the parts of the locale with it, `columns` has the library's parts. */
export type TermCounts = { term: string; anywhere: number; found: Record<Column, number>; columns: Record<Column, Counts> };

/** One scope's files; postings, texts and vectors are loaded once, when they are first used. */
export interface AnswerShard extends Shard {
  entry: AnswerEntry;
  terms: string[];
  /** The number of its first part among the library's. */
  firstPart: number;
  exact: ExactFile;
  /** Parts are the shard's own. */
  counts(term: string): Promise<Omit<TermCounts, 'term'>>;
  vectors(): Promise<ShardVectors>;
  tokens(): Promise<ShardTokens>;
}

/** int8 rows, row-major; the row of each part, unit (-1 for none; of part `p` from `firstUnits[p]` on) and section title. */
export interface ShardVectors extends Record<'ofParts' | 'firstUnits' | 'ofUnits' | 'ofTitles', Int32Array> {
  dimension: number;
  rows: Int8Array;
  lengths: Float64Array;
}

/** Tokens of two bits a component; the first token of each row that is a part's, and the number of all. */
export type ShardTokens = { packed: Uint8Array; firsts: Int32Array };

/** Scopes that are searched together. */
export interface Library {
  load: Load;
  manifest: Manifest & { answers: string; index_id: string; built_at?: string };
  facts: AnswersFacts;
  shards: AnswerShard[];
  /** BCP 47 tag, and its primary language. */
  locale: string;
  language: string;
  profile: AnswersFacts['languages'][string];
  parts: number;
  lexicon: Lexicon;
}

export interface Lexicon {
  /** The term of a word or pair of signs in lower case. */
  termOf(form: string): string;
  withoutEnding(form: string): string;
  isSmall(term: string): boolean;
  /** Phrases of asking, in a language without blanks between words. */
  asking: RegExp | null;
}

/** `text` is what is embedded. */
export type Query = { text: string } & Record<'terms' | 'codes' | 'names', string[]>;

/** A part by its number in its shard. */
export type Part = { shard: AnswerShard; part: number };

/** By ranker, the scores of all candidates; NaN for one that it did not find. */
export type Scores = Record<string, Float64Array>;

/** `named` have a code with digits of the query; `nearest` is each part's nearest unit, -1 for none. */
export type Candidates = { parts: Part[]; scores: Scores; named: boolean[]; nearest: number[] };

/** A section with its best part. `landsOnUnit`: the nearest unit is nearer than the part, so that a reader is sent there. */
export interface RankedSection extends Part {
  section: number;
  unit: number | null;
  landsOnUnit: boolean;
  score: number;
  cosine: number;
}

export interface SearchResult {
  query: Query;
  sections: RankedSection[];
  signals: Signals;
  /** Of each term of the query, in order. */
  idf: Map<string, number>;
  /** Of the nearest part's cosine among the candidates. */
  zScore: number;
  hasVectors: boolean;
  evidence: number;
}

/** A pattern each for the start of a text, any part, and its end. */
export type Forms = Partial<Record<'opens' | 'has' | 'ends', string>>;

type FormNames = 'how' | 'fact' | 'whether' | 'duration' | 'size' | 'count' | 'number' | 'asking' | 'amount' | 'date' | 'person' | 'words'
  | 'amounts' | 'dates' | 'people' | 'not' | 'nor';
export type FollowUpNames = 'polite' | 'asks' | 'opens' | 'closes' | 'whole' | 'pronouns' | 'leads';

/** The file of a language, and that of all languages (`browser_bundle/phrases.py`). */
export interface Phrases extends Partial<Record<FormNames, Forms>> {
  passage?: string[];
  follow_ups?: Record<FollowUpNames, string>;
  relational?: string;
  messages?: Record<string, string>;
}
export interface Requests extends Record<'code' | 'act' | 'realtime' | 'dismisses' | 'asks_about_assistants' | 'names_of_assistants', string> {
  small_words: Record<string, string>;
  signs: Record<'zh' | 'zh-Hant', string>;
}

export type Say = (key: string, values?: Record<string, string>) => string;

/** A place in the site, as a citation names it. `other`: an anchor inside of a text. */
export interface Place extends Record<'id' | 'url' | 'anchor' | 'page' | 'title' | 'section' | 'sourceType', string> {
  path: string[];
  /** Further fields of its citation (`pincite_core/citation.py`). */
  cited: Record<string, unknown>;
  other: boolean;
}

/** A link's URL and its place: a page's number, or a section's, -1 for none, and those below it. */
export type LinkRow = [url: string, reach?: number | number[]];

/** The words of a link in a unit, and its number among the section's links. */
export type TextLink = [start: number, end: number, link: number];

/** A section as the file `units` has it. */
export interface SectionFacts {
  shard: AnswerShard;
  number: number;
  firstPart: number;
  parts: number;
  /** The row id of its first part. */
  chunk: number;
  /** Its own, then those inside of it. */
  places: Place[];
  links: LinkRow[];
  around: number[];
  reading: boolean;
  untranslated: boolean;
}

export type UnitKind = 'prose' | 'item' | 'row' | 'code' | 'term' | 'heading';
export type UnitRole = 'stands' | 'leans' | 'asks' | 'refers' | 'announces' | 'fragment';

/** A unit as the build wrote it (`browser_bundle/units.py`). */
export interface Unit extends Record<'goesOn' | 'whether' | 'duration' | 'size' | 'count' | 'number' | 'admonition' | 'begins' | 'case' | 'unproved'
  | 'opening' | 'entry' | 'navigation' | 'warning' | 'picks' | 'injection', boolean> {
  start: number;
  end: number;
  kind: UnitKind;
  role: UnitRole;
  place: number;
  /** The first and the last unit of each range, relative to this one; `tabs` has those that differ if another tab is shown. */
  passage: number[];
  more: { mark?: string; labels?: string[]; tab?: string; first?: string; cells?: number[]; links?: TextLink[]; tabs?: [tab: string, passage: number[]][] };
}

/** A unit that the answer may quote, and once it does, its claim. `number` is its position in the section. */
export interface ScoredUnit extends Omit<Unit, 'place' | 'number'> {
  facts: SectionFacts;
  place: Place;
  part: number;
  ordinal: number;
  number: number;
  text: string;
  cells: number[];
  links: TextLink[];
  layout: { block: number; mark: string; labels: string[]; note: boolean; tab: string };
  score: number;
  /** Of the question's words, by IDF. */
  share: number;
}

/** Statements of one section, in page order. */
export type Passage = { section: RankedSection; facts: SectionFacts; statements: ScoredUnit[] };

/** A question, resolved. `docs` names the docs' languages if the question is in another. */
export interface QuestionContext {
  library: Library;
  request: ChatRequest;
  requests: Requests;
  phrases: Phrases;
  query: string;
  /** Of messages. */
  language: string;
  say: Say;
  docs: string;
  head: ReturnType<typeof headOf>;
  /** Whether text that addresses assistants may answer. */
  aboutAssistants: boolean;
}

export interface AnswerContext extends QuestionContext {
  embedded: Embedded | null;
  result: SearchResult;
}

export type Citation = ReturnType<typeof citePlace>;

export interface Claim {
  text: string;
  support: string;
  citations: number[];
  quote: string;
  markers: number[];
}

/** As `POST /api/chat` gives it without streaming (docs/http-api.md). */
export type Reply = ReturnType<typeof answerReply> | ReturnType<typeof refusalReply>;
