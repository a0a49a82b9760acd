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

/** Signals of a search's success by name (`pincite_core/search/evidence.py`); a missing one is 0. */
export type Signals = Record<string, number>;

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

/** The file that the manifest names as `answers`: what is the same for all scopes (`browser_bundle/answers.py`). */
export interface AnswersFacts {
  model: string;
  dimension: number;
  prompts: { query: string; passage: string };
  /** How states become vectors of tokens: components, and signs of `hidden` rows, Base64; null for a model without tokens. */
  tokens: { dimension: number; hidden: number; signs: string } | null;
  /** The site's, for messages; empty where it has none. */
  title: string;
  /** Weights of the signals of a useful answer, and their bias. */
  likelihood: Record<string, number>;
  /** The file of each language's forms and messages, and under an empty name of what is looked for in all. */
  phrases: Record<string, string>;
  /** The least probability, inclusive, at which a question is answered. */
  threshold: number;
  /** Of both engines, by group (`pincite_core.rules`). `units` names the values in the bits of a row, the lowest first. */
  rules: Record<string, any> & { units: { kinds: UnitKind[]; roles: Stance[]; flags: string[] }; passages: PassageRules };
  languages: Record<string, Spoken>;
  tables: AnswersTables;
}

/** A regular expression of Python, in JavaScript's syntax. */
export interface Pattern {
  pattern: string;
  flags: string;
}

/** `PassageRules` of `pincite_core.rules`, which says what each is for. */
export interface PassageRules {
  sentences: number;
  sentence_end: Pattern;
  say_nothing: Stance[];
  the_row: number;
  few_rows: number;
  near: number;
  beats_opening: number;
  definition: { words: number; lines: number; nearer: number };
  near_best: number;
  picked: number;
  longest_list: number;
  name: Pattern;
  named: number;
  enough_names: number;
  fits_better: number;
  close_by: number;
  around: number;
}

/** Weights, patterns and lists of words, as Python has them. */
export interface AnswersTables {
  first_place: Record<string, number>;
  other_places: Record<string, number>;
  text_alone: number;
  same_cosine: number;
  named_bonus: number;
  bm25: { k1: number; b: number; least_rarity: number; saturation: number };
  most: { candidates: number; of_a_page: number; sections: number; terms: number; codes: number };
  priors: { blog: number; reference: number; brief: number; past: number; changes: number; further: number; heading: number; fewest_words: number };
  /** Regular expressions by name, each with its flags. */
  patterns: Record<string, [source: string, flags: string]>;
  /** By primary language, terms that say nothing of a subject, separated by blanks. */
  small_terms: Record<string, string>;
  /** What may stand between two parts of a compound, by primary language. */
  links: Record<string, string[]>;
  /** Primary languages that write all nouns with capitals. */
  names_nouns: string[];
}

/** A scope as the manifest names it, with the files for answers. */
export interface AnswerEntry extends ScopeEntry {
  exact: string[];
  /** Facts of units and sections; cut as `texts` are. */
  units: string[];
  /** The questions that pages offer, by the page's URL; missing where none does. */
  questions?: string[];
  places: string[];
  vectors: string[];
  tokens: string[];
}

/** The file `exact` (`browser_bundle/exact.py`). */
export interface ExactFile {
  /** Terms of each part in all columns. */
  lengths: number[];
  /** The parts that are a line or two. */
  brief: number[];
  codes: string[];
  postings: number[][];
  /** By column, what postings cap: (term or code, place, times), flat. */
  over: Record<Column, number[]>;
  /** In how many parts of the locale each term stands: anywhere, and in each column. Missing where the scope is all of it. */
  found?: number[][];
  /** The same of codes: anywhere, and as codes. */
  found_codes?: number[][];
}

/** Where a term may stand. */
export type Column = 'body' | 'headings' | 'page' | 'links' | 'code';

/** The parts of a scope that hold a term in a column, ascending, and how often. */
export interface Counts {
  parts: number[];
  times: number[];
}

/** A term in all opened scopes. */
export interface TermCounts {
  term: string;
  /** In how many parts of the locale it stands anywhere, and in each column. */
  anywhere: number;
  found: Record<Column, number>;
  /** By column, in the numbers of the library's parts. */
  columns: Record<Column, Counts>;
}

/** One scope's files; postings, texts and vectors are loaded when they are first asked for, and once. */
export interface AnswerShard extends Shard {
  entry: AnswerEntry;
  /** Terms by their numbers, which `postings` takes. */
  terms: string[];
  /** The number of its first part among all of the library's. */
  firstPart: number;
  exact: ExactFile;
  /** Where a term stands, nowhere included; parts are the shard's own. */
  counts(term: string): Promise<Omit<TermCounts, 'term'>>;
  vectors(): Promise<ShardVectors>;
  tokens(): Promise<ShardTokens>;
}

/** The vectors of a scope, and whose they are. */
export interface ShardVectors {
  dimension: number;
  /** int8, row-major. */
  rows: Int8Array;
  /** Of each row. */
  lengths: Float64Array;
  /** The row of each part's vector. */
  ofParts: Int32Array;
  /** The first unit's place in `ofUnits` of each part, and the number of all at the end. */
  firstUnits: Int32Array;
  /** The row of each unit's vector, -1 for one without: unit `u` of part `p` stands at `firstUnits[p] + u`. */
  ofUnits: Int32Array;
  /** The row of each section's title, -1 for none. */
  ofTitles: Int32Array;
}

/** The tokens of a scope's parts, packed in two bits a component. */
export interface ShardTokens {
  packed: Uint8Array;
  /** The first token of each row that is a part's, and the number of all at the end. */
  firsts: Int32Array;
}

/** Scopes that are searched together, opened. */
export interface Library {
  /** Of any file, once. */
  load: Load;
  manifest: Manifest & { answers: string; index_id: string; built_at?: string };
  facts: AnswersFacts;
  shards: AnswerShard[];
  /** BCP 47 tag of the scopes' locale, and its primary language. */
  locale: string;
  language: string;
  spoken: Spoken;
  /** Parts of all shards together. */
  parts: number;
  lexicon: Lexicon;
}

/** `lexiconOf`, of `answering/lexicon.js`: the terms of words, as they are spelled in the docs. */
export interface Lexicon {
  /** The term of a word or a pair of signs in lower case; one that the docs do not have stays as it is. */
  termOf(form: string): string;
  /** A word that the docs do not have, without an ending that theirs have. */
  withoutEnding(form: string): string;
  isSmall(term: string): boolean;
  /** What asks, where no blanks part words. */
  asking: RegExp | null;
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
export type TermsOf = (library: Pick<Library, 'lexicon' | 'language'>, text: string) => string[];

/** Unit vectors of passages, in order. */
export type Encode = (texts: string[]) => Promise<Float32Array[]>;

/** A pattern each for what opens a text, stands anywhere in it, ends it; those there are. */
export interface Forms {
  opens?: string;
  has?: string;
  ends?: string;
}

type FormNames = 'how' | 'fact' | 'whether' | 'duration' | 'size' | 'count' | 'number' | 'asking' | 'amount' | 'date' | 'person' | 'words'
  | 'amounts' | 'dates' | 'people' | 'not' | 'nor';

export type FollowUpNames = 'polite' | 'asks' | 'opens' | 'closes' | 'whole' | 'pronouns' | 'leads';

/** The file of a language (`browser_bundle/phrases.py`). */
export interface Phrases extends Partial<Record<FormNames, Forms>> {
  passage?: string[];
  follow_ups?: Record<FollowUpNames, string>;
  relational?: string;
  messages?: Record<string, string>;
}

/** The file of what is looked for in all languages. */
export interface Requests {
  code: string;
  act: string;
  realtime: string;
  dismisses: string;
  asks_about_assistants: string;
  names_of_assistants: string;
  small_words: Record<string, string>;
  /** Signs that only simplified or only traditional Chinese has. */
  signs: Record<'zh' | 'zh-Hant', string>;
}

export interface LandingStep {
  kind: string;
  label: string;
}

/** A place in the site, as a citation tells it. */
export interface Place {
  /** Its stable id. */
  id: string;
  url: string;
  anchor: string;
  page: string;
  /** Module and chapter. */
  title: string;
  path: string[];
  /** Its own title; empty for a page. */
  section: string;
  sourceType: string;
  landing: LandingStep[];
  /** Further fields of its citation, as the build wrote them (`pincite_core/citation.py`). */
  cited: Partial<import('../types.js').Citation>;
  /** An anchor inside of a text. */
  other: boolean;
}

/** A link's URL, and where it leads: a page's number, or a section's, -1 for none, and those below it. */
export type LinkRow = [url: string, reach?: number | number[]];

/** The words of a link in a unit, and its number among the section's links. */
export type TextLink = [start: number, end: number, link: number];

/** Where a highlighted passage stands: its section, or its page's first where it goes over several. */
export interface Standing {
  place: Place;
  /** The row id of the section's first part. */
  chunk: number;
}

/** A section as the file `units` tells of it. */
export interface SectionFacts {
  shard: AnswerShard;
  number: number;
  firstPart: number;
  parts: number;
  /** The row id of its first part in the index. */
  chunk: number;
  /** Its own, then those inside of it. */
  places: Place[];
  links: LinkRow[];
  /** The sections around it on its page. */
  around: number[];
  /** It lists where to read on. */
  reading: boolean;
  untranslated: boolean;
}

export type UnitKind = 'prose' | 'item' | 'row' | 'code' | 'term' | 'heading';
export type Stance = 'stands' | 'leans' | 'asks' | 'refers' | 'announces' | 'fragment';

/** A unit as the build read it (`browser_bundle/units.py`). */
export interface Unit {
  start: number;
  end: number;
  kind: UnitKind;
  stance: Stance;
  place: number;
  /** The first and the last unit of each range, relative to this one. */
  passage: number[];
  goesOn: boolean;
  whether: boolean;
  duration: boolean;
  size: boolean;
  count: boolean;
  number: boolean;
  admonition: boolean;
  begins: boolean;
  case: boolean;
  unproved: boolean;
  opening: boolean;
  entry: boolean;
  navigation: boolean;
  warning: boolean;
  picks: boolean;
  injection: boolean;
  more: {
    mark?: string; labels?: string[]; tab?: string; first?: string; cells?: number[]; links?: TextLink[];
    /** Passages that differ if another tab is shown. */
    tabs?: [tab: string, passage: number[]][];
  };
}

/** A unit that a reader may see, before it is weighed. */
export interface Shown {
  unit: Unit;
  /** In its section. */
  number: number;
  part: number;
  text: string;
  block: number;
  cosine: number;
}

/** A unit that the answer may use, and, once it does, a claim of it. */
export interface Quotable {
  facts: SectionFacts;
  place: Place;
  part: number;
  ordinal: number;
  start: number;
  text: string;
  cells: number[];
  kind: UnitKind;
  stance: Stance;
  goesOn: boolean;
  unproved: boolean;
  opening: boolean;
  entry: boolean;
  navigation: boolean;
  warning: boolean;
  picks: boolean;
  /** In its section. */
  number: number;
  passage: number[];
  links: TextLink[];
  layout: { block: number; mark: string; labels: string[]; note: boolean; tab: string };
  score: number;
  /** How much of the question its words hold, by rarity. */
  share: number;
}

export type Statement = Quotable;

/** Statements of one section, in the order of its page. */
export interface Passage {
  section: RankedSection;
  facts: SectionFacts;
  statements: Statement[];
}

/** A question with everything that was settled before it is answered. */
export interface Situation {
  library: Library;
  request: import('../types.js').ChatRequest;
  requests: Requests;
  /** Of the language that it is asked in. */
  phrases: Phrases;
  /** Made whole, where it is a follow-up. */
  query: string;
  /** Of messages. */
  language: string;
  say: (key: string, values?: Record<string, string>) => string;
  /** What the docs' languages are called, for a question in another; else empty. */
  docs: string;
  head: ReplyHead;
  /** It is about assistants, so that text which addresses them may answer it. */
  hears: boolean;
}

/** A situation for which sections were found. */
export interface Asking extends Situation {
  embedded: Embedded | null;
  result: SearchResult;
}

export interface ReplyHead {
  message_id: string;
  session_id: string;
  index_id: string;
  built_at: string | null;
  mode: 'corpus' | 'selection';
  scope: { locale: string; version: string | null; version_label: string | null; plugin_id: string | null };
  notices: import('../types.js').Notice[];
}

export interface SentClaim {
  text: string;
  support: string;
  citations: number[];
  quote: string;
  markers: number[];
}

export interface ValidationInfo {
  passed: boolean;
  reasons: string[];
  used_fallback: boolean;
  confidence_score: number;
  context_docs_count: number;
}

interface Told extends ReplyHead {
  evidence: number;
  validation_info: ValidationInfo;
  learning_suggestions: string[];
  timings_ms: Record<string, number>;
}

export interface AnswerReply extends Told {
  type: 'answer';
  composer: string;
  answer: string;
  citations: import('../types.js').Citation[];
  claims: SentClaim[];
  confidence_score: number;
}

export interface RefusalReply extends Told {
  type: 'refusal';
  code: string;
  message: string;
  reasons: string[];
  suggestions: import('../types.js').Suggestion[];
  nearest: import('../types.js').Citation[];
}

/** As `POST /api/chat` gives it without streaming (docs/http-api.md). */
export type Reply = AnswerReply | RefusalReply;
