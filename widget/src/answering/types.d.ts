/** Records of answering in the browser. Most types are those of the functions that make them. */

import type { Manifest } from '../search/files.js';
import type { Counts, ScopeEntry, Section, Shard } from '../search/shard.js';
import type { Vocabulary } from '../search/vocabulary.js';

export type { Counts, Section, Shard, Vocabulary };

/** The JSON, or the bytes, of a file of the folder `search/`. */
export type Load = (file: string) => Promise<any>;
export type LoadBytes = (file: string) => Promise<ArrayBuffer>;

/** A question from the encoder: its unit vector, and the states of its content tokens, row-major in rows of `hidden`. */
export type Embedded = { vector: Float32Array; states: Float32Array; hidden: number };
/** Unit vectors of passages, in order. */
export type Encode = (texts: string[]) => Promise<Float32Array[]>;

/** Signals of the evidence of a search (`pincite_core/search/evidence.py`) by name, and the weights of a logistic regression on them. */
export type Signals = Record<string, number>;
export type Calibration = Signals & { bias: number };

/** How states become vectors of tokens: signs of `hidden` rows, Base64; null for a model without tokens. */
export type Projection = { dimension: number; hidden: number; signs: string } | null;

/** For each ending of words, how many letters of a term it may replace, the fewest first, and its share of all endings. */
export type Endings = Record<string, [cut: number, share: number][]>;

/** A locale. `parts` and `average` length count all versions, `vectors` is the dense weight, and `table` has its forms of questions. */
export interface Profile extends Record<'parts' | 'average' | 'vectors', number>, Record<'calibration' | 'words_calibration', Calibration> {
  table: string;
  endings: Endings;
}

/**
 * The file that the manifest names as `answers`, for all scopes (`browser_bundle/answers.py`). `phrases` names the file of each language's
 * forms and messages; the empty name is of all languages. `asking`, `small_terms` and `links` of compounds are by primary language.
 */
export interface AnswersFacts extends Record<'asking' | 'small_terms' | 'phrases', Record<string, string>> {
  dimension: number;
  threshold: number;
  prompts: { query: string; passage: string };
  tokens: Projection;
  title: string;
  likelihood: Calibration;
  rules: object;
  languages: Record<string, Profile>;
  links: Record<string, string[]>;
  names_nouns: string[];
}

/** The manifest, and a scope as it names it, with the files for answers; `built_at` is of the index. */
export type AnswerManifest = Manifest & { answers: string; index_id: string; built_at?: string };
export type AnswerEntry = ScopeEntry & Record<'exact' | 'units' | 'places' | 'vectors' | 'tokens', string[]> & { questions?: string[] };

/** The file `exact` (`browser_bundle/exact.py`). `traits` has the numbers of sections, and of parts that are brief. */
export interface ExactFile {
  lengths: number[];
  codes: string[];
  postings: number[][];
  found?: number[][];
  found_codes?: number[][];
  traits: Record<'past' | 'changes' | 'further' | 'brief', number[]>;
}

export type Column = 'body' | 'headings' | 'page' | 'links' | 'code';

/** Scopes that are searched together; `firstPart` is the number of a shard's first part among the library's. */
export type Library = Awaited<ReturnType<typeof import('./library.js').openLibrary>>;
export type AnswerShard = Library['shards'][number];
export type ShardVectors = Awaited<ReturnType<AnswerShard['vectors']>>;
export type ShardTokens = Awaited<ReturnType<AnswerShard['tokens']>>;
/** A term in all opened scopes. */
export type TermCounts = Awaited<ReturnType<typeof import('./library.js').countsOf>>[number];

/** `text` is what is embedded. */
export type Query = ReturnType<typeof import('./query.js').parseQuery>;

/** A part by its number in its shard; and by ranker, the scores of all candidates, NaN for one that it did not find. */
export type Part = { shard: AnswerShard; part: number };
export type Scores = Record<string, Float64Array>;
export type Candidates = Awaited<ReturnType<typeof import('./candidates.js').gatherCandidates>>;

/** A section with its best part. `landsOnUnit`: the nearest unit is nearer than the part, so that a reader is sent there. */
export type RankedSection = Part & { section: number; score: number; cosine: number; unit: number | null; landsOnUnit: boolean };
/** `idf` has the terms of the query in order, `zScore` is that of the nearest part's cosine among the candidates. */
export type SearchResult = Awaited<ReturnType<typeof import('./ranking.js').search>>;

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
export type Requests = Record<'code' | 'act' | 'realtime' | 'dismisses' | 'asks_about_assistants' | 'names_of_assistants', string> & {
  small_words: Record<string, string>;
  signs: Record<'zh' | 'zh-Hant', string>;
};

/** A place in a section as the build wrote it, and as a citation names it. `fragment`: an encoded anchor. `other`: inside of a text. */
export type PlaceRow = { id: string; title: string; cited?: Record<string, unknown> } & Partial<{
  anchor: string; fragment: string; path: string[]; other: boolean;
}>;
export type Place = SectionFacts['places'][number];

/** A link leads to a page, by number, or a section, -1 for none, and those below. */
export type LinkRow = [url: string, reach?: number | number[]];
/** A section as the build wrote it (`browser_bundle/units.py`), and as it is read; `chunk` is the row id of its first part. */
export type SectionRow = { id: string; chunk: number; cited?: PlaceRow['cited'] } & Partial<{
  fragment: string; module: string; places: PlaceRow[]; links: LinkRow[]; around: number[]; reading: boolean; untranslated: boolean;
}>;
export type SectionFacts = Awaited<ReturnType<AnswerShard['factsOf']>>;

export type UnitKind = 'prose' | 'item' | 'row' | 'code' | 'term' | 'heading';
export type UnitRole = 'stands' | 'leans' | 'asks' | 'refers' | 'announces' | 'fragment';
export type Flag = 'goes_on' | 'whether' | 'duration' | 'size' | 'count' | 'number' | 'admonition' | 'begins' | 'case' | 'unproved'
  | 'opening' | 'entry' | 'navigation' | 'warning' | 'picks' | 'injection' | 'picture';

/** A unit as the build wrote it. `passage` has the first and last unit of each range, relative to this one, `tabs` those of other tabs. */
export type UnitRow = [gap: number, length: number, bits?: number, place?: number, passage?: number[], more?: Partial<UnitMore>];
/** `cells` has the start and end of each column's name, and of each cell. */
export type UnitMore = Record<'mark' | 'tab' | 'first', string> & {
  labels: string[];
  cells: [number, number, number, number][];
  links: [start: number, end: number, link: number][];
  tabs: [tab: string, passage: number[]][];
};

/** A unit that the answer may quote, and once it does, its claim. `position` counts units; `share` is of the question's words by IDF. */
export type ScoredUnit = Awaited<ReturnType<ReturnType<typeof import('./compose.js').createScorer>>>[number];
/** Statements of one section, in page order. */
export type Passage = { section: RankedSection; facts: SectionFacts; statements: ScoredUnit[] };

/** A question, resolved. `docs` names the docs' languages if it is in another. `aboutAssistants`: text for assistants may answer. */
export type QuestionContext = Awaited<ReturnType<typeof import('./answer.js').contextOf>>;
export type AnswerContext = QuestionContext & { embedded: Embedded | null; result: SearchResult };

export type Citation = ReturnType<typeof import('./replies.js').citePlace>;
export type Claim = { text: string; support: string; citations: number[]; quote: string; markers: number[] };
/** As `POST /api/chat` gives it without streaming (docs/http-api.md). */
export type Reply = ReturnType<typeof import('./replies.js').answerReply> | ReturnType<typeof import('./replies.js').refusalReply>;
