/** The page the reader is on as Markdown; loaded when they copy it. */

/**
 * From the file that the indexer wrote beside the page.
 * @param {string} baseUrl
 * @throws {Error} When there is none; its cause is what readers are told.
 */
export async function pageMarkdown(baseUrl) {
  const response = await fetch(markdownPath(location.pathname, baseUrl));
  // Hosts that send a page for whatever does not exist say so by its type.
  if (!response.ok || response.headers.get('content-type')?.includes('html')) throw new Error('This page has no Markdown.', { cause: 'copyPageFailed' });
  return response.text();
}

/**
 * Where a page's Markdown is: `/docs/leases` and `/docs/leases/index.html` have theirs in `/docs/leases.md`.
 * @param {string} path
 * @param {string} baseUrl
 */
export function markdownPath(path, baseUrl) {
  const name = path.replace(/\.html?$/u, '').replace(/\/index$/u, '/');
  return `${name === baseUrl ? `${name}index` : name.replace(/\/$/u, '')}.md`;
}
