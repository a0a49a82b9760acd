/** Copies the reader's page as Markdown; loaded when the reader uses it. */

/**
 * Fetch the Markdown file that the indexer wrote beside the page.
 * @param {string} baseUrl
 * @throws {Error} If there is none; its cause is the key of the reader's message.
 */
export async function pageMarkdown(baseUrl) {
  const response = await fetch(markdownPath(location.pathname, baseUrl));
  // Some hosts answer unknown paths with an HTML page.
  if (response.ok && !response.headers.get('content-type')?.includes('html')) return response.text();
  throw new Error('This page has no Markdown file.', { cause: 'copyPageFailed' });
}

/**
 * Return the path of a page's Markdown: `/docs/leases.md` for `/docs/leases` and `/docs/leases/index.html`.
 * @param {string} path
 * @param {string} baseUrl
 */
export function markdownPath(path, baseUrl) {
  const name = path.replace(/\.html?$/u, '').replace(/\/index$/u, '/');
  return `${name === baseUrl ? `${name}index` : name.replace(/\/$/u, '')}.md`;
}
