// @ts-check
import {themes} from 'prism-react-renderer';

/** @type {import('@docusaurus/types').Config} */
export default {
  title: 'Harbor Queue',
  tagline: 'A job queue you run yourself: one binary, no database beside it',
  url: 'https://harbor-queue.example',
  baseUrl: '/',
  favicon: 'img/favicon.svg',
  future: {v4: true, faster: true},
  onBrokenLinks: 'throw',
  onBrokenAnchors: 'throw',
  onDuplicateRoutes: 'throw',
  markdown: {
    hooks: {onBrokenMarkdownLinks: 'throw', onBrokenMarkdownImages: 'throw'},
  },
  i18n: {
    defaultLocale: 'en',
    locales: ['en', 'fr'],
    localeConfigs: {
      en: {label: 'English', htmlLang: 'en'},
      fr: {label: 'Français', htmlLang: 'fr'},
    },
  },
  plugins: [
    [
      'docusaurus-plugin-pincite',
      /** @type {import('docusaurus-plugin-pincite').Options} */ ({
        contact: 'https://harbor-queue.example/community',
      }),
    ],
  ],
  presets: [
    [
      'classic',
      /** @type {import('@docusaurus/preset-classic').Options} */ ({
        docs: {
          sidebarPath: './sidebars.js',
          lastVersion: '2.4',
          versions: {
            current: {label: 'Next', path: 'next', banner: 'unreleased'},
            '2.4': {label: '2.4'},
          },
        },
        blog: {
          onInlineAuthors: 'throw',
          onInlineTags: 'throw',
          onUntruncatedBlogPosts: 'ignore',
        },
        theme: {customCss: './src/css/custom.css'},
      }),
    ],
  ],
  themeConfig: /** @type {import('@docusaurus/preset-classic').ThemeConfig} */ ({
    colorMode: {respectPrefersColorScheme: true},
    navbar: {
      title: 'Harbor Queue',
      logo: {alt: 'Harbor Queue', src: 'img/logo.svg'},
      items: [
        {type: 'doc', docId: 'introduction', label: 'Docs', position: 'left'},
        {to: '/blog', label: 'Blog', position: 'left'},
        {type: 'docsVersionDropdown', position: 'right'},
        {type: 'localeDropdown', position: 'right'},
      ],
    },
    footer: {
      style: 'dark',
      links: [
        {
          title: 'Docs',
          items: [
            {label: 'Introduction', to: '/docs/'},
            {label: 'Quick start', to: '/docs/quick-start'},
          ],
        },
        {
          title: 'More',
          items: [{label: 'Blog', to: '/blog'}],
        },
      ],
      copyright: 'Harbor Queue is a made-up product: this site shows Pincite at work.',
    },
    prism: {
      theme: themes.github,
      darkTheme: themes.dracula,
      additionalLanguages: ['bash', 'diff', 'ini', 'json', 'toml', 'python'],
    },
  }),
};
