// @ts-check
import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { themes } from 'prism-react-renderer';
import { frontMatterOf, PAGES } from './pages.mjs';
import repositoryLinks from './repository-links.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
const REPOSITORY = 'https://github.com/pincite/pincite';

/** @type {import('@docusaurus/types').Config} */
export default {
  title: 'Pincite',
  tagline: 'Chat for documentation sites in which every claim carries a citation that lands',
  url: 'https://pincite.github.io',
  baseUrl: '/pincite/',
  favicon: 'img/favicon.svg',
  // Its packages are those of examples/site, and so would its persistent cache be.
  future: { v4: true, faster: { rspackPersistentCache: false } },
  onBrokenLinks: 'throw',
  onBrokenAnchors: 'throw',
  onDuplicateRoutes: 'throw',
  markdown: {
    format: 'detect',
    hooks: { onBrokenMarkdownLinks: 'throw', onBrokenMarkdownImages: 'throw' },
    parseFrontMatter: async (params) => {
      const parsed = await params.defaultParseFrontMatter(params);
      const path = relative(ROOT, params.filePath).split(sep).join('/');
      return { ...parsed, frontMatter: { ...frontMatterOf(path), ...parsed.frontMatter } };
    },
  },
  clientModules: ['./src/scrollable-tables.js'],
  plugins: [
    [
      'docusaurus-plugin-pincite',
      /** @type {import('docusaurus-plugin-pincite').Options} */ ({
        contact: `${REPOSITORY}/issues`,
        llms: true,
      }),
    ],
  ],
  presets: [
    [
      'classic',
      /** @type {import('@docusaurus/preset-classic').Options} */ ({
        docs: {
          path: '..',
          include: PAGES,
          routeBasePath: '/',
          sidebarPath: './sidebars.js',
          numberPrefixParser: false,
          editUrl: ({ docPath }) => `${REPOSITORY}/edit/main/${docPath}`,
          beforeDefaultRemarkPlugins: [[repositoryLinks, { root: ROOT, host: `${REPOSITORY}/blob/main` }]],
        },
        blog: false,
        theme: { customCss: './src/css/custom.css' },
      }),
    ],
  ],
  themeConfig: /** @type {import('@docusaurus/preset-classic').ThemeConfig} */ ({
    colorMode: { respectPrefersColorScheme: true },
    navbar: {
      title: 'Pincite',
      logo: { alt: '', src: 'img/favicon.svg' },
      items: [
        { type: 'doc', docId: 'docs/install', label: 'Install', position: 'left' },
        { type: 'doc', docId: 'docusaurus-plugin/README', label: 'Configure', position: 'left' },
        { type: 'doc', docId: 'docs/deploy', label: 'Operate', position: 'left' },
        { type: 'doc', docId: 'docs/evaluation', label: 'Measure', position: 'left' },
        {
          type: 'html',
          position: 'right',
          value: '<button type="button" class="button button--primary button--sm" data-pincite-open>Search or ask</button>',
        },
        { href: REPOSITORY, label: 'Code', position: 'right' },
      ],
    },
    footer: {
      links: [
        { label: 'Changelog', to: '/changelog' },
        { label: 'Contributing', to: '/contributing' },
        { label: 'Security policy', to: '/security-policy' },
        { label: 'Privacy', to: '/docs/privacy' },
      ],
    },
    prism: {
      // Of the themes these two reach WCAG AA, but for one colour.
      theme: { ...themes.vsLight, styles: [...themes.vsLight.styles, { types: ['attr-name'], style: { color: '#c00000' } }] },
      darkTheme: themes.oceanicNext,
      additionalLanguages: ['bash', 'json', 'nginx', 'yaml'],
    },
  }),
};
