/** The Docusaurus plugin: what happens when. */
import {randomUUID} from 'node:crypto';
import {fileURLToPath} from 'node:url';
import {logger} from '@docusaurus/logger';
import {finishBuild} from './build.js';
import {configureDevServer} from './dev.js';
import {widgetTags} from './widget.js';

export {validateOptions} from './options.js';

/**
 * @import {LoadContext, Plugin} from '@docusaurus/types'
 * @import {PluginOptions} from './index.js'
 */

const NAME = 'docusaurus-plugin-pincite';

/**
 * One for the whole process, so that all locales of a build share it. The environment may name it instead, where the
 * locales of one release are built apart.
 */
const BUILD_ID = process.env.PINCITE_BUILD_ID || randomUUID();

/**
 * @param {LoadContext} context
 * @param {PluginOptions} options
 * @returns {Plugin<undefined> | null}
 */
export default function pluginPincite(context, options) {
  if (context.siteConfig.future.experimental_router === 'hash') {
    logger.warn`name=${NAME} is off: the hash router puts the whole site into one page, which leaves no addresses to cite.`;
    return null;
  }
  const isBuild = process.env.NODE_ENV === 'production';
  return {
    name: NAME,
    getClientModules: () => [fileURLToPath(new URL('./client.js', import.meta.url))],
    injectHtmlTags: () => widgetTags(context, options, isBuild ? BUILD_ID : null),
    configureWebpack: () => (isBuild ? undefined : configureDevServer(context)),
    postBuild: (props) => finishBuild(props, options, BUILD_ID),
  };
}
