/** Real Docusaurus builds with the plugin: the indexer's input and the pages' tags. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildSite } from './site.js';

/** @import {Build} from './site.js' */

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

describe('a build of a site with two locales', () => {
  /** @type {Build} */
  let build;
  before(async () => {
    build = await buildSite({ plugin: { api: 'https://chat.kit.example/', contact: '/kit/about' } });
    assert.equal(build.failed, false, build.log);
  });
  after(() => build.remove());

  /** @param {string} locale @param {string} route */
  const page = (locale, route) => build.recorded(locale).manifest.pages.find((each) => each.route === route);

  test('indexes each locale in its own folder', () => {
    assert.deepEqual(build.recorded('en').args.slice(0, 2), ['index', `${build.outDir}/`]);
    assert.deepEqual(build.recorded('fr').args.slice(0, 2), ['index', `${build.outDir}/fr/`]);
    assert.ok(existsSync(join(build.outDir, 'fr/pincite/index.json')));
  });

  test('the manifest has the facts of the site', () => {
    const { build_id, site_dir, pages, ...site } = build.recorded('fr').manifest;
    assert.match(build_id, UUID);
    assert.deepEqual(site, {
      manifest_version: 1,
      out_dir: `${build.outDir}/fr/`,
      url: 'https://kit.example',
      base_url: '/kit/fr/',
      trailing_slash: null,
      title: 'Kit <Docs>',
      locale: 'fr',
      default_locale: 'en',
      locales: ['en', 'fr'],
      locale_urls: { en: 'https://kit.example/kit/', fr: 'https://kit.example/kit/fr/' },
      no_index: false,
    });
  });

  test('lists exactly the pages of the locale, each with a file that is there', () => {
    for (const locale of ['en', 'fr']) {
      const { out_dir, base_url, pages } = build.recorded(locale).manifest;
      assert.ok(pages.length > 10);
      for (const { route, html } of pages) {
        assert.ok(existsSync(join(out_dir, html)), `${route} -> ${html}`);
        assert.ok(route.startsWith(base_url));
      }
    }
    assert.equal(page('en', '/kit/fr/'), undefined);
    assert.equal(page('en', '/kit/docs/next/unfinished'), undefined);
  });

  test("a doc has its source, its version and its author's front matter", () => {
    assert.deepEqual(page('en', '/kit/docs/next/'), {
      route: '/kit/docs/next/',
      html: 'docs/next/index.html',
      plugin: 'docusaurus-plugin-content-docs',
      plugin_id: 'default',
      kind: 'doc',
      doc_id: 'start',
      version: 'current',
      version_label: 'Next',
      is_last: false,
      title: 'Start here',
      description: 'Where to begin.',
      tags: ['first steps'],
      front_matter: {
        slug: '/',
        title: 'Start here',
        description: 'Where to begin.',
        tags: ['first steps'],
        module_id: 'kit',
        chapter_id: 'start',
      },
      source: 'docs/start.md',
      translated: true,
      no_index: false,
      unlisted: false,
    });
    assert.equal(page('en', '/kit/docs/')?.is_last, true);
    assert.equal(page('en', '/kit/api/')?.plugin_id, 'api');
  });

  test('each page has its kind', () => {
    const kinds = Object.fromEntries(build.recorded('en').manifest.pages.map(({ route, kind }) => [route, kind]));
    assert.equal(kinds['/kit/docs/next/guides/setup'], 'doc');
    assert.equal(kinds['/kit/docs/next/guides'], 'category');
    assert.equal(kinds['/kit/docs/next/tags/first-steps'], 'list');
    assert.equal(kinds['/kit/blog/2026/01/02/hello'], 'blog');
    assert.equal(kinds['/kit/blog/archive'], 'list');
    assert.equal(kinds['/kit/about'], 'page');
    assert.equal(kinds['/kit/'], 'page');
    assert.equal(kinds['/kit/404.html'], 'not_found');
  });

  test('unlisted pages and those with noindex are marked', () => {
    const { unlisted, no_index } = page('en', '/kit/docs/next/hidden') ?? {};
    assert.deepEqual({ unlisted, no_index }, { unlisted: true, no_index: true });
  });

  test('a translation differs from a page in the default language', () => {
    assert.equal(page('fr', '/kit/fr/docs/next/')?.translated, true);
    assert.equal(page('fr', '/kit/fr/docs/next/guides/setup')?.translated, false);
    assert.equal(page('fr', '/kit/fr/')?.translated, null);
  });

  test('puts the chat on every page, with the build id of the manifest', () => {
    const { build_id } = build.recorded('en').manifest;
    assert.equal(build.recorded('fr').manifest.build_id, build_id);
    for (const [file, lang] of [['docs/index.html', 'en'], ['404.html', 'en'], ['fr/index.html', 'fr-FR']]) {
      const chat = element(build.read(file), 'pincite-chat');
      assert.equal(chat['build-id'], build_id);
      assert.equal(chat.lang, lang);
      assert.equal(chat['base-url'], '/kit/');
      assert.equal(chat.api, 'https://chat.kit.example');
      assert.equal(chat['site-title'], 'Kit <Docs>');
      assert.equal(chat.contact, '/kit/about');
      assert.ok(!('search-url' in chat));
    }
  });

  test("loads the widget from the locale's own folder", () => {
    assert.match(build.read('fr/index.html'), /<script type="?module"? src="?\/kit\/fr\/pincite\/pincite\.js"?>/);
  });

  test("the log has the indexer's progress and its report", () => {
    assert.match(build.log, /Reading pages/);
    assert.match(build.log, /\[SUCCESS\] Pincite's index is in ".*pincite"\.\n {2}Pages: \d+ guide\n {2}Targets: 7 \(IDs: 7 auto\)\n {2}Size: 1\.2 MB/);
    assert.match(build.log, /\[WARNING\] Pages that could not be read: broken\.html\./);
  });

  test('the log says once how to start a sidecar on another origin', () => {
    const command = 'pincite serve https://kit.example/kit/pincite/ --cors-origin https://kit.example --host-name chat.kit.example';
    assert.equal(build.log.split(command).length, 2, build.log);
  });
});

test("a failed index fails the build with the indexer's message", async (t) => {
  const build = await buildSite({ minified: false, site: { i18n: undefined }, env: { STUB_FAILURE: 'Two pages claim the ID kit/start.' } });
  t.after(build.remove);
  assert.equal(build.failed, true);
  assert.match(build.log, /Pincite could not index the site: Two pages claim the ID kit\/start\./);
  assert.doesNotMatch(build.log, /src\/(?:build|indexing)\.js/, 'no trace of the plugin around it');
});

test('an indexer of another version fails the build with what to run', async (t) => {
  const build = await buildSite({ minified: false, site: { i18n: undefined }, env: { STUB_VERSION: '0.99.0' } });
  t.after(build.remove);
  assert.equal(build.failed, true);
  assert.match(build.log, /Pincite could not index the site: docusaurus-plugin-pincite \S+ needs pincite .*is 0\.99\.0: run pip install/);
});

test('a failed index is a warning if the site says so, and the widget is copied', async (t) => {
  const build = await buildSite({
    minified: false,
    site: { i18n: undefined, trailingSlash: false, baseUrl: '/' },
    plugin: { onIndexError: 'warn', exclude: ['/blog/**', '/blog'], model: 'tiny', previous: true },
    env: { STUB_FAILURE: 'The disk is full.' },
  });
  t.after(build.remove);
  assert.equal(build.failed, false, build.log);
  assert.match(build.log, /\[WARNING\] Pincite could not index the site.*The disk is full\./);
  assert.ok(existsSync(join(build.outDir, 'pincite/pincite.js')));

  const { args, manifest } = build.recorded('en');
  assert.deepEqual(args.slice(5, 9), ['--model', 'tiny', '--previous', 'https://kit.example/pincite/']);
  const routes = manifest.pages.map(({ route }) => route);
  assert.ok(routes.includes('/about') && !routes.some((route) => route.startsWith('/blog')), routes.join(' '));
  assert.ok(manifest.pages.every(({ html }) => existsSync(join(build.outDir, html))));
});

test('with the hash router the plugin is off and says why', async (t) => {
  const build = await buildSite({
    minified: false,
    site: { i18n: undefined, future: { v4: true, faster: true, experimental_router: 'hash' }, onBrokenLinks: 'ignore' },
  });
  t.after(build.remove);
  assert.equal(build.failed, false, build.log);
  assert.match(build.log, /\[WARNING\] docusaurus-plugin-pincite is off: the hash router/);
  assert.ok(!build.read('index.html').includes('pincite-chat'));
});

/**
 * Return the attributes of the first element of a name, which may be minified.
 *
 * @param {string} html
 * @param {string} name
 * @returns {Record<string, string>}
 */
function element(html, name) {
  const tag = new RegExp(`<${name}((?:[^>"]|"[^"]*")*)>`).exec(html)?.[1] ?? '';
  const attributes = tag.matchAll(/([\w-]+)=(?:"([^"]*)"|(\S+))/g);
  return Object.fromEntries([...attributes].map(([, key, quoted, bare]) => [key, (quoted ?? bare).replaceAll('&lt;', '<')]));
}
