// @ts-check
/** The files of the repository that are pages of the site. They stay where they are, and readable on a code host. */
export const PAGES = [
  'docs/**/*.md',
  '{README,CONTRIBUTING,CHANGELOG,SECURITY}.md',
  '{widget,docusaurus-plugin}/README.md',
];

/**
 * What their front matter would say; a code host would show it above the text.
 *
 * @type {Record<string, Record<string, string>>}
 */
const FRONT_MATTER = {
  'README.md': { slug: '/overview', chapter_id: 'overview', sidebar_label: 'Overview' },
  'CONTRIBUTING.md': { slug: '/contributing', chapter_id: 'contributing' },
  'CHANGELOG.md': { slug: '/changelog', chapter_id: 'changelog' },
  'SECURITY.md': { slug: '/security-policy', chapter_id: 'security-policy' },
  'widget/README.md': { chapter_id: 'widget' },
  'docusaurus-plugin/README.md': { chapter_id: 'docusaurus-plugin' },
  'docs/decisions/README.md': { chapter_id: 'decisions' },
};

/**
 * @param {string} path From the repository's root, with forward slashes.
 * @returns {Record<string, string>}
 */
export function frontMatterOf(path) {
  return FRONT_MATTER[path] ?? {};
}
