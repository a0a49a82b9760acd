/** Finds the site's code highlighter. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The client module imports this name, because it cannot resolve the site's packages itself. */
export const PRISM_ALIAS = '@pincite/prism';

/** Chains of packages, each a dependency of the one before, that lead from a site to the highlighter. */
const PACKAGE_CHAINS = [
  ['@docusaurus/theme-classic', 'prism-react-renderer'],
  ['@docusaurus/preset-classic', '@docusaurus/theme-classic', 'prism-react-renderer'],
];

/**
 * Return the folder of the classic theme's copy, which includes the languages that the site added. Not its main file, because
 * bundlers use another one.
 * @param {string} siteDir
 * @returns {string | null} Null without the classic theme.
 */
export function findPrism(siteDir) {
  for (const chain of PACKAGE_CHAINS) {
    try {
      return chain.reduce((folder, name) => dirname(createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`)), siteDir);
    } catch {
      // Try the next chain.
    }
  }
  return null;
}
