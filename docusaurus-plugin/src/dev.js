/** `docusaurus start`: no pages are written there, so the chat works with what the last build left. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {logger} from '@docusaurus/logger';
import {PINCITE_FOLDER, WIDGET_DIR} from './widget.js';

/**
 * @import {LoadContext, Plugin} from '@docusaurus/types'
 * @typedef {ReturnType<NonNullable<Plugin['configureWebpack']>>} WebpackConfiguration
 */

/**
 * Serve the widget's files where a build would have put them.
 *
 * @param {Pick<LoadContext, 'baseUrl' | 'outDir'>} context
 * @returns {WebpackConfiguration}
 */
export function configureDevServer({baseUrl, outDir}) {
  if (!existsSync(join(outDir, PINCITE_FOLDER, 'index.json'))) {
    logger.info`The chat answers from the index of the last build, and there is none in path=${outDir} yet: run code=${'docusaurus build'} first.`;
  }
  const devServer = {static: [{directory: WIDGET_DIR, publicPath: `${baseUrl}${PINCITE_FOLDER}/`}]};
  return /** @type {WebpackConfiguration} */ ({devServer});
}
