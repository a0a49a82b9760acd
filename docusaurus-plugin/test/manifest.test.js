import assert from 'node:assert/strict';
import test from 'node:test';
import { htmlFile, localeUrls } from '../src/manifest.js';
import { contentPages } from '../src/content.js';

/** Route, trailingSlash, file: what Docusaurus writes. @type {[string, boolean | undefined, string][]} */
const FILES = [
  ['/kit/', undefined, 'index.html'],
  ['/kit/', false, 'index.html'],
  ['/kit/', true, 'index.html'],
  ['/kit/docs/a', undefined, 'docs/a/index.html'],
  ['/kit/docs/a', false, 'docs/a.html'],
  ['/kit/docs/', false, 'docs/index.html'],
  ['/kit/docs/a/', true, 'docs/a/index.html'],
  ['/kit/404.html', false, '404.html'],
  ['/kit/docs/a page/你好', undefined, 'docs/a page/你好/index.html'],
];

for (const [route, trailingSlash, file] of FILES) {
  test(`${route} with trailingSlash ${trailingSlash} is in ${file}`, () => {
    assert.equal(htmlFile(route, { baseUrl: '/kit/', trailingSlash }), file);
  });
}

/** @param {object[]} plugins @param {string[]} routesPaths @param {string | null} [translations] */
function pages(plugins, routesPaths, translations = null) {
  return contentPages({ plugins: /** @type {any} */ (plugins), routes: [], routesPaths, translations });
}

const DOC = { id: 'a', permalink: '/docs/a', source: '@site/docs/a.md', title: 'A', tags: [], frontMatter: {} };

/** @param {object} doc */
function docsPlugin(doc) {
  const version = { versionName: 'current', label: 'Next', isLast: true, docs: [doc] };
  return { name: 'any-name', options: { id: 'default' }, content: { loadedVersions: [version] } };
}

test("a site's own wrapper around the docs plugin counts as docs", () => {
  assert.equal(pages([docsPlugin(DOC)], ['/docs/a']).get('/docs/a')?.kind, 'doc');
});

test('a trailing slash does not hide the doc of a route', () => {
  assert.equal(pages([docsPlugin(DOC)], ['/docs/a/']).get('/docs/a')?.doc_id, 'a');
});

test('a page of an unknown plugin is of the kind other', () => {
  const plugin = { name: 'typedoc', options: { id: 'default' }, content: { whatever: [] } };
  assert.equal(pages([plugin], ['/api/x']).get('/api/x')?.kind, 'other');
});

test('only a source in the translations folder is translated', () => {
  const translated = { ...DOC, permalink: '/docs/b', source: '@site/i18n/fr/docs/b.md' };
  const found = pages([docsPlugin(DOC), docsPlugin(translated)], ['/docs/a', '/docs/b'], 'i18n/fr');
  assert.deepEqual([found.get('/docs/a')?.translated, found.get('/docs/b')?.translated], [false, true]);
});

test('a locale has the base path and the origin that the site gives it', () => {
  const localeConfigs = {
    en: { url: 'https://kit.example', baseUrl: '/kit/' },
    fr: { url: 'https://kit.example', baseUrl: '/kit/français/' },
    de: { url: 'https://de.kit.example', baseUrl: '/' },
  };
  const props = { i18n: { locales: ['en', 'fr', 'de'], localeConfigs }, siteConfig: { url: 'https://kit.example' } };
  assert.deepEqual(localeUrls(/** @type {any} */ (props)), {
    en: 'https://kit.example/kit/',
    fr: 'https://kit.example/kit/fran%C3%A7ais/',
    de: 'https://de.kit.example/',
  });
});

test('a Docusaurus that keeps a locale\'s base path to itself leaves it to the indexer', () => {
  const props = { i18n: { locales: ['en', 'fr'], localeConfigs: { en: {} } }, siteConfig: { url: 'https://kit.example' } };
  assert.deepEqual(localeUrls(/** @type {any} */ (props)), {});
});
