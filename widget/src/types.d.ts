/** Types of the HTTP API, with its field names, and of the widget's storage and parts. */

export type Mode = 'corpus' | 'selection';

export interface Citation {
  /** The number in the answer; null or absent for a section that only qualifies as a source. */
  n?: number | null;
  used?: boolean;
  stable_id?: string;
  title: string;
  heading_path?: string[];
  section?: string;
  page?: string;
  /** The site's title, if several sites are served. */
  site?: string;
  url?: string | null;
  anchor?: string | null;
  chunk_id?: number | null;
  source_type?: string;
  excerpt?: string;
  verified?: boolean;
  /** Set by the widget if a redeploy removed the section. */
  lost?: boolean;
}

/** The current location of a stable ID. */
export interface ResolvedId {
  url?: string | null;
  title?: string | null;
  status: 'current' | 'moved' | 'lost';
  nearest?: { url: string; title: string } | null;
}

export interface Notice {
  code: string;
  message: string;
}

export interface Scope {
  version?: string;
  locale?: string;
}

/** The filter of an answer. */
export interface AnsweredScope {
  /** If several sites are served: the title of the site that answers, or the titles of all that refuse. */
  site?: string;
  locale?: string | null;
  version?: string | null;
  version_label?: string | null;
}

export interface AnswerHead {
  message_id?: string;
  session_id?: string;
  index_id?: string;
  /** ISO 8601: when the index was built. */
  built_at?: string | null;
  mode?: Mode;
  composer?: string;
  scope?: AnsweredScope;
  notices?: Notice[];
}

export interface ValidationInfo {
  /** Null if it was not checked. */
  passed: boolean | null;
  reasons: string[];
  used_fallback: boolean;
  confidence_score?: number;
  context_docs_count?: number;
}

/** A statement of an answer. */
export interface Claim {
  /** The statement without citation markers. */
  text?: string;
  /** `absent`: it says that the docs do not cover something, and has no citations and no quote. */
  support?: 'quoted' | 'verified' | 'doubtful' | 'absent';
  citations?: number[];
  /** The cited words as the page shows them. */
  quote?: string;
  /** Indexes of its citation markers among those of the answer. */
  markers?: number[];
}

export interface AnswerEnd {
  message_id?: string;
  claims?: Claim[];
  confidence_score?: number;
  evidence?: unknown;
  validation_info?: ValidationInfo;
  learning_suggestions?: string[];
  timings_ms?: Record<string, number>;
}

/** A suggestion. `code` selects the widget's action, `text` is the server's. */
export interface Suggestion {
  code: string;
  text: string;
}

export interface Refusal extends AnswerHead {
  type: 'refusal';
  code: string;
  message: string;
  /** Why, in the reader's language. */
  reasons?: string[];
  suggestions?: Suggestion[];
  nearest?: Citation[];
  /** The search queries that were tried. */
  searched?: string[];
  evidence?: unknown;
  validation_info?: ValidationInfo;
  learning_suggestions?: string[];
}

/** The progress of an answer; a later status replaces it. It is never stored. */
export interface Status {
  phase: 'searching' | 'reading' | 'checking';
  /** The search queries: the reader's own words at first, then those of the language model. */
  queries?: string[];
  /** The titles of the sections that the language model reads. */
  titles?: string[];
}

/** A failure. `code` selects the reader's message, `detail` is the server's. */
export interface Failure {
  code: string;
  detail?: string;
  retryAfter?: number;
}

export interface Selection {
  text: string;
  page_url: string;
  /** ISO 8601. */
  captured_at: string;
}

export interface ChatRequest {
  message_id: string;
  session_id: string;
  query: string;
  mode: Mode;
  selection?: Selection;
  scope?: Scope;
  page_url?: string;
  build_id?: string;
  turns?: { query: string; answer: string }[];
  /** The browser's embedding of the question. */
  embedding?: number[];
  embedding_tokens?: number[][];
  embedding_model?: string;
}

export type ChatEvent =
  | { type: 'status'; status: Status }
  | { type: 'start'; head: AnswerHead }
  | { type: 'delta'; text: string }
  | { type: 'sources'; citations: Citation[] }
  | { type: 'end'; end: AnswerEnd }
  | { type: 'refusal'; refusal: Refusal }
  | { type: 'failure'; failure: Failure };

export type Outcome = 'pending' | 'answered' | 'refused' | 'stopped' | 'interrupted' | 'failed';

/** A reader's vote on a reply. */
export interface Vote {
  vote: 'up' | 'down';
  reason?: 'wrong' | 'incomplete' | 'misunderstood' | 'in_docs';
  comment?: string;
}

/** One question with its reply, as the history stores it. */
export interface Turn {
  id: string;
  query: string;
  mode: Mode;
  /** Milliseconds since the epoch. */
  at: number;
  outcome: Outcome;
  answer: string;
  citations: Citation[];
  /** Notices of the widget (fallback to the whole site, truncation). */
  notices: Notice[];
  buildId?: string;
  head?: AnswerHead;
  end?: AnswerEnd;
  refusal?: Refusal;
  failure?: Failure;
  /** The request until it is answered, so that it can be sent again. */
  request?: ChatRequest;
}

export interface Session {
  id: string;
  title: string;
  created_at: number;
  updated_at: number;
  turns: Turn[];
}

/** The target of a followed citation. It survives a page load. */
export interface Landing {
  /** Absolute URL without its fragment. */
  page: string;
  anchor: string;
  /** The cited words, in the order of the page. */
  words: string[];
  /** Milliseconds since the epoch. */
  at: number;
}

/** The element's interface for the chat and the page's scripts. */
export interface ChatHost extends HTMLElement {
  token: string;
  navigate: ((url: string) => boolean | Promise<boolean>) | null;
  context: (() => Scope) | null;
  /** Colours a `code` element in place, as the site's own code; `language` is '' if unknown. */
  highlight: ((code: HTMLElement, language: string) => unknown) | null;
  /** The site's texts by key. */
  strings: Record<string, string> | null;
}

/** A passage that the reader selected on the page. */
export interface CapturedSelection extends Selection {
  range: Range;
}

/** The reader's selection on the page, of any length. */
export interface PageSelection {
  /** The current one. */
  live: () => CapturedSelection | null;
  /** The current or the last one. */
  last: () => CapturedSelection | null;
}

/** The loader's arguments for the chat. */
export interface ChatEnvironment {
  host: ChatHost;
  root: ShadowRoot;
  language: string;
  selection: PageSelection;
  /** Called after the panel opens or closes. */
  onToggle: (open: boolean) => void;
}

export interface Chat {
  /** The chat's texts. */
  t: import('./core/i18n.js').Translate;
  /** `question` is typed in, but not sent. */
  open(options?: { focus?: boolean; question?: string }): void;
  close(): void;
  ask(text: string): Promise<void>;
  /** Open the search over the site's sections. */
  search(): void;
  askAboutSelection(selection: CapturedSelection): void;
  routeChanged(): void;
  /** Land on the citation that was followed before the page was loaded. */
  resumeLanding(): Promise<void>;
}
