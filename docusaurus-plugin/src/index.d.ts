import type {LoadContext, OptionValidationContext, Plugin} from '@docusaurus/types';

/** Options of `docusaurus-plugin-pincite` as the plugin sees them, defaults filled in. */
export interface PluginOptions {
  /**
   * Address of the sidecar's API; empty for the origin the site itself is served from, `false` for a site without one, whose questions are
   * answered in the browser. Default `''`.
   */
  api: string | false;
  /** Write the index at the end of each build. Default `true`. */
  index: boolean;
  /** The command that indexes, instead of one the plugin finds: a command line, or its parts. */
  indexer?: string | string[];
  /** The Python that has Pincite installed, such as `.venv/bin/python`. */
  python?: string;
  /** A sentence-transformers model: name or folder. Default: the indexer's own. */
  model?: string;
  /**
   * The index of the last deploy, to reuse its vectors and follow moved IDs: a file, a URL (each with `{locale}` where
   * locales differ), or `true` for the one at this site's own address. Default: none.
   */
  previous?: boolean | string;
  /** Globs of the routes to index, without the site's base URL. Default `['**']`. */
  include: string[];
  /** Globs of the routes to leave out, without the site's base URL. Default `[]`. */
  exclude: string[];
  /** Whether pages that ask search engines to stay away are indexed. Default `'exclude'`. */
  noindex: 'exclude' | 'include';
  /** Whether `llms.txt`, `llms-full.txt` and each page as Markdown are written, for agents. Default `false`. */
  llms: boolean;
  /** Whether readers can search as they type: writes `pincite/search/`, and Ctrl/Cmd+K and `/` open it where the site has no search. Default `true`. */
  search: boolean;
  /** Whether questions are answered in the browser, from files of the site, when the sidecar cannot be reached. Default `false`. */
  browserAnswers: boolean;
  /**
   * What embeds questions. `'browser'` writes `pincite/encoder/`: each reader loads some 27 MB once, and the sidecar helps out where a browser
   * cannot. Default `'sidecar'`.
   */
  embedder: 'sidecar' | 'browser';
  /** What goes to the sidecar. `'embedding'`, with `embedder: 'browser'`, keeps questions' words in the browser. Default `'question'`. */
  send: 'question' | 'embedding';
  /** What to do when an author's ID that the previous index had is gone. Default `'warn'`. */
  onLostId: 'ignore' | 'warn' | 'fail';
  /** What to do when the index cannot be written. Default `'throw'`: the build fails. */
  onIndexError: 'ignore' | 'log' | 'warn' | 'throw';
  /** The site's name in the chat. Default: the site's `title`. */
  siteTitle?: string;
  /** Keyboard shortcut that opens the chat; empty for none. Default `'ctrl+i'`. */
  shortcut: string;
  /** Where a reader can ask a person, offered when the docs hold no answer. */
  contact?: string;
  /** The site's own search page, offered when the sidecar is down. */
  searchUrl?: string;
  /** Words of the chat to replace, by their keys in `pincite/strings.json`. Default: none. */
  strings: Record<string, string>;
  /** The launcher's icon: path data on a grid of 24 by 24. Default: a speech bubble. */
  icon?: string;
  /** Side of the launcher and the chat. Default: right; left where text runs from right to left. */
  position?: 'left' | 'right';
  /** What readers agree to before their first question, or where they read it. Default: nothing. */
  consent?: {text?: string; url?: string};
  /** Routes without the site's base URL on which there is no launcher, `*` for anything. Default `[]`. */
  hideLauncherOn: string[];
  /** What `docusaurus start` does besides. */
  dev: {
    /** Start a sidecar with the index of the last build, and pass questions on to it. Default `false`. */
    serve: boolean;
    /** The port that sidecar listens on. Default `3001`. */
    port: number;
  };
}

/** What a site's configuration may say. */
export type Options = Partial<Omit<PluginOptions, 'dev'>> & {dev?: Partial<PluginOptions['dev']>};

/** The Docusaurus plugin; `null` when the site's router leaves no pages to index. */
export default function pluginPincite(context: LoadContext, options: PluginOptions): Plugin<undefined> | null;

/** Check the user's options and fill in the defaults. */
export function validateOptions(context: OptionValidationContext<Options | undefined, PluginOptions>): PluginOptions;
