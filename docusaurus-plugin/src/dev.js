/** `docusaurus start` writes no pages to index, so the chat uses the index of the last build. */
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

/** The chat's requests. Not all of `/api`, because a site may have pages there. */
const API_PATHS = ['/api/chat', '/api/search', '/api/resolve', '/api/feedback', '/query-selected-text'];

/**
 * Serve the widget's files at the address of a build. With the option `dev.serve`, also start a sidecar and proxy questions to
 * it.
 * @param {Pick<LoadContext, 'baseUrl' | 'outDir' | 'siteDir'>} context
 * @param {PluginOptions} options
 * @returns {WebpackConfiguration}
 */
export function configureDevServer({ baseUrl, outDir, siteDir }, options) {
  const folder = join(outDir, PINCITE_FOLDER);
  const hasIndex = existsSync(join(folder, 'index.json'));
  if (!hasIndex) {
    logger.info`The chat needs the index of a build, and path=${outDir} has none. Run code=${'docusaurus build'} first.`;
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
 * Run a sidecar until this process ends.
 * @param {string} folder The folder of the index.
 * @param {PluginOptions} options
 * @param {string} cwd
 * @throws {Error} If it cannot be started, or ended by itself.
 */
async function startSidecar(folder, options, cwd) {
  const { command } = await findIndexer(indexerCandidates(options, process.env, process.platform), cwd);
  const [program, ...args] = [...command, 'serve', folder, '--host', '127.0.0.1', '--port', String(options.dev.port)];
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
  process.once('exit', () => child.kill());
  const [exitCode] = await once(child, 'exit');
  throw new Error(`"${[program, ...args].join(' ')}" ended with exit code ${exitCode}.`);
}
