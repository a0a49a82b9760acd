// @ts-check
import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { createMatcher } from '@docusaurus/utils';
import { PAGES } from './pages.mjs';

const isPage = createMatcher(PAGES);

/** @typedef {{type: string, url?: string, children?: Node[]}} Node A node of a Markdown tree. */

/**
 * A remark plugin: links to files of the repository that are no pages lead to the code host.
 *
 * @param {{root: string, host: string}} options The repository's folder, and where its files are shown.
 * @returns {(tree: Node, file: {path: string}) => void} Throws when a link names no file.
 */
export default function repositoryLinks({ root, host }) {
  return (tree, { path }) => {
    for (const node of linksIn(tree)) {
      const [, name, fragment] = /^([^#?]*)(.*)$/.exec(node.url) ?? [];
      if (!name || name.startsWith('/') || URL.canParse(name)) {
        continue;
      }
      const target = resolve(dirname(path), decodeURIComponent(name));
      if (!existsSync(target)) {
        throw new Error(`${relative(root, path)} links to ${node.url}, and there is no such file. Mend the link.`);
      }
      const file = relative(root, target).split(sep).join('/');
      if (!isPage(file)) {
        node.url = `${host}/${file}${fragment}`;
      }
    }
  };
}

/**
 * @param {Node} node
 * @returns {Generator<Node & {url: string}>}
 */
function* linksIn(node) {
  if ((node.type === 'link' || node.type === 'definition') && node.url) {
    yield /** @type {Node & {url: string}} */ (node);
  }
  for (const child of node.children ?? []) {
    yield* linksIn(child);
  }
}
