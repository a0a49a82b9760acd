/** The Docusaurus plugin. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { logger } from '@docusaurus/logger';
import { finishBuild } from './build.js';
import { configureDevServer } from './dev.js';
import { findPrism, PRISM_ALIAS } from './prism.js';
import { widgetTags } from './widget.js';

export { validateOptions } from './options.js';

/**
 * @import {LoadContext, Plugin} from '@docusaurus/types'
 * @import {PluginOptions} from './index.js'
 */

const NAME = 'docusaurus-plugin-pincite';

/** Names the build. Set it to the same value if the locales of one release are built separately. */
const BUILD_ID_VARIABLE = 'PINCITE_BUILD_ID';

/** @param {LoadContext} context @param {PluginOptions} options @returns {Plugin<undefined> | null} */
export default function pluginPincite(context, options) {
  if (context.siteConfig.future.experimental_router === 'hash') {
    logger.warn`name=${NAME} is off: the hash router puts the whole site on one page, so its sections have no addresses to cite.`;
    return null;
  }
  const isBuild = process.env.NODE_ENV === 'production';
  // Docusaurus loads this module again for each locale, so only the environment can keep one ID for the whole build.
  const buildId = process.env[BUILD_ID_VARIABLE] ||= randomUUID();
  const prism = findPrism(context.siteDir);
  const resolve = { alias: /** @type {Record<string, string | false>} */ ({ [PRISM_ALIAS]: prism ?? false }) };
  // The development server itself proxies questions to its sidecar.
  const devApi = options.dev.serve ? '' : options.api;
  return {
    name: NAME,
    getClientModules: () => ['./client.js', ...(prism ? ['./highlight.js'] : [])].map((file) => fileURLToPath(new URL(file, import.meta.url))),
    injectHtmlTags: () => widgetTags(context, options, isBuild ? { api: options.api, buildId } : { api: devApi }),
    configureWebpack: () => (isBuild ? { resolve } : { resolve, ...configureDevServer(context, options) }),
    postBuild: (props) => finishBuild(props, options, buildId),
  };
}
