/** The wire and storage vocabulary of the widget. Field names are those of the HTTP API. */

export type Mode = 'corpus' | 'selection';

export interface Citation {
  /** The number in the answer; null or absent for a section that only qualifies. */
  n?: number | null;
  used?: boolean;
  stable_id?: string;
  title: string;
  heading_path?: string[];
  section?: string;
  page?: string;
  /** The site's title, where several are asked. */
  site?: string;
  url?: string | null;
  anchor?: string | null;
  chunk_id?: number | null;
  source_type?: string;
  excerpt?: string;
  verified?: boolean;
  /** Set by the widget after a redeploy: the section is no longer in the docs. */
  lost?: boolean;
}

/** What became of a stable id after a redeploy. */
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

/** The filter an answer obeyed. */
export interface AnsweredScope {
  /** The title of the site that answers, or those of all that refuse, where several are asked. */
  site?: string;
  locale?: string | null;
  version?: string | null;
  version_label?: string | null;
}

export interface AnswerHead {
  message_id?: string;
  session_id?: string;
  index_id?: string;
  /** ISO 8601: when the index, and so the docs it answers from, was built. */
  built_at?: string | null;
  mode?: Mode;
  composer?: string;
  scope?: AnsweredScope;
  notices?: Notice[];
}

export interface ValidationInfo {
  /** Null when it was not checked. */
  passed: boolean | null;
  reasons: string[];
  used_fallback: boolean;
  confidence_score?: number;
  context_docs_count?: number;
}

/** A statement of an answer. */
export interface Claim {
  /** The statement as it is shown, without citation markers. */
  text?: string;
  /** `absent`: it says that the docs do not cover something, and has no citations and no quote. */
  support?: 'quoted' | 'verified' | 'doubtful' | 'absent';
  citations?: number[];
  /** Its words as the page shows them. */
  quote?: string;
  /** The places, among the answer's citation markers, of those at it. */
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

/** What to try; `code` chooses what the widget does with it, `text` is the server's own. */
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

/** A reader-facing failure; `code` chooses the sentence, `detail` is the server's own. */
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
  /** What the reader's own machine made of the question. */
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

/** What a reader thinks of a reply. */
export interface Vote {
  vote: 'up' | 'down';
  reason?: 'wrong' | 'incomplete' | 'misunderstood' | 'in_docs';
  comment?: string;
}

/** One question with all that came back; what history stores. */
export interface Turn {
  id: string;
  query: string;
  mode: Mode;
  /** Milliseconds since the epoch. */
  at: number;
  outcome: Outcome;
  answer: string;
  citations: Citation[];
  /** Notices the widget itself adds (fallback to the whole site, truncation). */
  notices: Notice[];
  buildId?: string;
  head?: AnswerHead;
  end?: AnswerEnd;
  refusal?: Refusal;
  failure?: Failure;
  /** What was sent, until it is answered: it can be sent again. */
  request?: ChatRequest;
}

export interface Session {
  id: string;
  title: string;
  created_at: number;
  updated_at: number;
  turns: Turn[];
}

/** Where a citation click wants to arrive; carried over a full page load. */
export interface Landing {
  /** Absolute URL without its fragment. */
  page: string;
  anchor: string;
  /** What is cited there, in the order of the page. */
  words: string[];
  /** Milliseconds since the epoch. */
  at: number;
}

/** The element as the chat and the page's own scripts see it. */
export interface ChatHost extends HTMLElement {
  token: string;
  navigate: ((url: string) => boolean | Promise<boolean>) | null;
  context: (() => Scope) | null;
  /** Colours a `code` element of the page in place, as the site does its own; `language` is '' where none is told. */
  highlight: ((code: HTMLElement, language: string) => unknown) | null;
  /** The site's own words, by key. */
  strings: Record<string, string> | null;
}

/** A passage the reader highlighted on the page. */
export interface CapturedSelection extends Selection {
  range: Range;
}

/** What the reader has highlighted on the page, of any length. */
export interface PageSelection {
  /** As it is now. */
  live: () => CapturedSelection | null;
  /** The one before, when nothing is highlighted any more. */
  last: () => CapturedSelection | null;
}

/** What the loader hands to the chat when it is first needed. */
export interface ChatEnvironment {
  host: ChatHost;
  root: ShadowRoot;
  language: string;
  selection: PageSelection;
  /** Called whenever the panel opens or closes. */
  onToggle: (open: boolean) => void;
}

export interface Chat {
  /** Its words. */
  t: import('./core/i18n.js').Translate;
  /** `question` is typed in, not sent. */
  open(options?: { focus?: boolean; question?: string }): void;
  close(): void;
  ask(text: string): Promise<void>;
  /** Open the search over the site's sections. */
  search(): void;
  askAboutSelection(selection: CapturedSelection): void;
  routeChanged(): void;
  /** Finish what a click on a citation began before the page was loaded. */
  resumeLanding(): Promise<void>;
}
