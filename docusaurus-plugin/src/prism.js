/** Where the site's own highlighter of code is. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What the client module imports it by: that it can be found from the site does not mean that it can from here. */
export const PRISM_ALIAS = '@pincite/prism';

/** The packages through which a site has it, each installed for the one before. */
const WAYS = [
  ['@docusaurus/theme-classic', 'prism-react-renderer'],
  ['@docusaurus/preset-classic', '@docusaurus/theme-classic', 'prism-react-renderer'],
];

/**
 * The very copy that the classic theme uses, which has the languages that the site added.
 *
 * @param {string} siteDir
 * @returns {string | null} Its folder, because its main file is not the one that bundlers take; null without that theme.
 */
export function findPrism(siteDir) {
  for (const way of WAYS) {
    try {
      return way.reduce((folder, name) => dirname(createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`)), siteDir);
    } catch {
      // Not this way.
    }
  }
  return null;
}
