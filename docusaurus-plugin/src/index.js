/** The Docusaurus plugin: what happens when. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { logger } from '@docusaurus/logger';
import { finishBuild } from './build.js';
import { configureDevServer, developmentApi } from './dev.js';
import { findPrism, PRISM_ALIAS } from './prism.js';
import { widgetTags } from './widget.js';

export { validateOptions } from './options.js';

/**
 * @import {LoadContext, Plugin} from '@docusaurus/types'
 * @import {PluginOptions} from './index.js'
 */

const NAME = 'docusaurus-plugin-pincite';

/** Names the build, where the locales of one release are built apart and shall share the name. */
const BUILD_ID_VARIABLE = 'PINCITE_BUILD_ID';

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
  const buildId = nameBuild();
  const prism = findPrism(context.siteDir);
  const resolve = { alias: /** @type {Record<string, string | false>} */ ({ [PRISM_ALIAS]: prism ?? false }) };
  return {
    name: NAME,
    getClientModules: () => ['./client.js', ...(prism ? ['./highlight.js'] : [])].map((file) => fileURLToPath(new URL(file, import.meta.url))),
    injectHtmlTags: () =>
      widgetTags(context, options, isBuild ? { api: options.api, buildId } : { api: developmentApi(options) }),
    configureWebpack: () => (isBuild ? { resolve } : { resolve, ...configureDevServer(context, options) }),
    postBuild: (props) => finishBuild(props, options, buildId),
  };
}

/**
 * One name for all locales of a build. Docusaurus loads this module anew for each of them, so that only the process
 * can hold it.
 */
function nameBuild() {
  process.env[BUILD_ID_VARIABLE] ||= randomUUID();
  return process.env[BUILD_ID_VARIABLE];
}
