/** `docusaurus start`: it writes no pages to index, so the chat works with what the last build left. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { logger } from '@docusaurus/logger';
import spawn from 'cross-spawn';
import { findIndexer, indexerCandidates } from './indexer.js';
import { PINCITE_FOLDER, WIDGET_DIR } from './widget.js';

/**
 * @import {LoadContext, Plugin} from '@docusaurus/types'
 * @import {PluginOptions} from './index.js'
 * @typedef {ReturnType<NonNullable<Plugin['configureWebpack']>>} WebpackConfiguration
 */

/** What the chat asks of the sidecar. No wider, because a site may well have pages under `/api`. */
const API_PATHS = ['/api/chat', '/api/search', '/api/resolve', '/api/feedback', '/query-selected-text'];

/**
 * Serve the widget's files where a build would have put them and, if asked, start a sidecar and pass questions on to it.
 *
 * @param {Pick<LoadContext, 'baseUrl' | 'outDir' | 'siteDir'>} context
 * @param {PluginOptions} options
 * @returns {WebpackConfiguration}
 */
export function configureDevServer({ baseUrl, outDir, siteDir }, options) {
  const folder = join(outDir, PINCITE_FOLDER);
  const hasIndex = existsSync(join(folder, 'index.json'));
  if (!hasIndex) {
    logger.info`The chat answers from the index of the last build, and there is none in path=${outDir} yet: run code=${'docusaurus build'} first.`;
  }
  const { serve, port } = options.dev;
  if (serve && hasIndex) {
    startSidecar(folder, options, siteDir).catch((/** @type {Error} */ error) =>
      logger.warn(`The chat has no sidecar: ${error.message}`),
    );
  }
  const devServer = {
    static: [{ directory: WIDGET_DIR, publicPath: `${baseUrl}${PINCITE_FOLDER}/` }],
    ...(serve && { proxy: [{ context: API_PATHS, target: `http://127.0.0.1:${port}` }] }),
  };
  return /** @type {WebpackConfiguration} */ ({ devServer });
}

/**
 * The address of the API while developing: this very server, when it passes questions on.
 *
 * @param {Pick<PluginOptions, 'api' | 'dev'>} options
 */
export function developmentApi({ api, dev }) {
  return dev.serve ? '' : api;
}

/**
 * Run a sidecar for as long as this process runs.
 *
 * @param {string} folder Where the index is.
 * @param {PluginOptions} options
 * @param {string} cwd
 * @throws {Error} When it cannot be started, or has ended by itself.
 */
async function startSidecar(folder, options, cwd) {
  const { command } = await findIndexer(indexerCandidates(options, process.env, process.platform), cwd);
  const [program, ...args] = [...command, 'serve', folder, '--host', '127.0.0.1', '--port', String(options.dev.port)];
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
  process.once('exit', () => child.kill());
  const [exitCode] = await once(child, 'exit');
  throw new Error(`"${[program, ...args].join(' ')}" ended with exit code ${exitCode}.`);
}
