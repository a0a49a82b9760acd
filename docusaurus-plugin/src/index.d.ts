import type {LoadContext, OptionValidationContext, Plugin} from '@docusaurus/types';

/** Options of `docusaurus-plugin-pincite` as the plugin sees them, defaults filled in. */
export interface PluginOptions {
  /** Address of the sidecar; empty for the site's origin, `false` without one: answers in the browser. Default `''`. */
  api: string | false;
  /** Write the index at the end of each build. Default `true`. */
  index: boolean;
  /** The indexer's command line, or its parts. Default: the plugin finds it. */
  indexer?: string | string[];
  /** A Python with Pincite installed, such as `.venv/bin/python`. */
  python?: string;
  /** A sentence-transformers model: name or folder. Default: the indexer's own. */
  model?: string;
  /**
   * The index of the last deploy, to reuse its vectors and follow moved IDs: a file or URL, with `{locale}` if locales differ,
   * or `true` for the one at the site's address. Default: none.
   */
  previous?: boolean | string;
  /** Globs of the routes to index, without the site's base URL. Default `['**']`. */
  include: string[];
  /** Globs of the routes to leave out, without the site's base URL. Default `[]`. */
  exclude: string[];
  /** Whether pages with `noindex` are indexed. Default `'exclude'`. */
  noindex: 'exclude' | 'include';
  /** Write `llms.txt`, `llms-full.txt` and each page as Markdown, for agents. Default `false`. */
  llms: boolean;
  /** Write `pincite/search/`; Ctrl/Cmd+K and `/` open the search if the site has no other. Default `true`. */
  search: boolean;
  /** Answer questions in the browser if the sidecar cannot be reached. Default `false`. */
  browserAnswers: boolean;
  /** Where questions are embedded. `'browser'` writes `pincite/encoder/`, loaded once (27 MB). Default `'sidecar'`. */
  embedder: 'sidecar' | 'browser';
  /** What the sidecar receives. `'embedding'` needs `embedder: 'browser'`; the words stay there. Default `'question'`. */
  send: 'question' | 'embedding';
  /** What to do if an author's ID of the previous index is gone. Default `'warn'`. */
  onLostId: 'ignore' | 'warn' | 'fail';
  /** What to do if indexing fails. Default `'throw'`: the build fails. */
  onIndexError: 'ignore' | 'log' | 'warn' | 'throw';
  /** The site's name in the chat. Default: the site's `title`. */
  siteTitle?: string;
  /** Keyboard shortcut that opens the chat; empty for none. Default `'ctrl+i'`. */
  shortcut: string;
  /** Address of support, offered if the docs have no answer. */
  contact?: string;
  /** The site's search page, offered if the sidecar cannot be reached. */
  searchUrl?: string;
  /** Texts of the chat to replace, by their keys in `pincite/strings.json`. Default: none. */
  strings: Record<string, string>;
  /** The launcher's icon: path data on a grid of 24 by 24. Default: a speech bubble. */
  icon?: string;
  /** Side of the launcher and the chat. Default: right; left where text runs from right to left. */
  position?: 'left' | 'right';
  /** A text, or the address of one, that readers agree to before their first question. Default: none. */
  consent?: {text?: string; url?: string};
  /** Routes without the site's base URL on which there is no launcher, `*` for anything. Default `[]`. */
  hideLauncherOn: string[];
  /** Settings of `docusaurus start`. */
  dev: {
    /** Start a sidecar with the index of the last build, and proxy questions to it. Default `false`. */
    serve: boolean;
    /** The sidecar's port. Default `3001`. */
    port: number;
  };
}

/** Options in a site's configuration. */
export type Options = Partial<Omit<PluginOptions, 'dev'>> & {dev?: Partial<PluginOptions['dev']>};

/** The Docusaurus plugin; `null` with the hash router, which leaves no pages to index. */
export default function pluginPincite(context: LoadContext, options: PluginOptions): Plugin<undefined> | null;

/** Check the user's options and fill in the defaults. */
export function validateOptions(context: OptionValidationContext<Options | undefined, PluginOptions>): PluginOptions;
