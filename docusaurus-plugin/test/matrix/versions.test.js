/** The packed plugin with each supported version of Docusaurus. Slow: each is installed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { buildSite, SITE } from '../site.js';

/** Files that builds leave in the fixture's folder. */
const GENERATED = new Set(['node_modules', '.docusaurus', 'build']);

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Version and overrides of the configuration. The older two only with Rspack: with webpack they do not start,
 * because their progress bar passes options that the current webpack refuses.
 *
 * @type {[string, object][]}
 */
const MATRIX = [
  ['3.8.1', { experimental_faster: true, v4: true }],
  ['3.9.2', { experimental_faster: true, v4: true }],
  ['3.10.2', {}],
  ['3.10.2', { faster: true, v4: true }],
];

/** @param {string} dir @param {string} version @param {string} plugin Packed. */
function install(dir, version, plugin) {
  cpSync(SITE, dir, { recursive: true, filter: (path) => !GENERATED.has(basename(path)) });
  const docusaurus = ['core', 'faster', 'plugin-content-blog', 'plugin-content-docs', 'plugin-content-pages', 'theme-classic'];
  const dependencies = Object.fromEntries(docusaurus.map((name) => [`@docusaurus/${name}`, version]));
  const manifest = { private: true, dependencies: { ...dependencies, react: '^19.0.0', 'react-dom': '^19.0.0' } };
  writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-package-lock', plugin], { cwd: dir, stdio: 'ignore' });
}

for (const [version, future] of MATRIX) {
  test(`the packed plugin works with Docusaurus ${version}, future ${JSON.stringify(future)}`, async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'pincite-matrix-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const packed = execFileSync('npm', ['pack', '--pack-destination', dir, '--ignore-scripts'], { cwd: PACKAGE, encoding: 'utf8' });
    install(dir, version, join(dir, packed.trim()));

    const build = await buildSite({ dir, site: { future }, env: { PLUGIN: 'docusaurus-plugin-pincite' } });
    t.after(build.remove);
    assert.equal(build.failed, false, build.log);
    for (const locale of ['en', 'fr']) {
      const { out_dir, pages } = build.recorded(locale).manifest;
      assert.ok(pages.length > 10 && pages.every(({ html }) => existsSync(join(out_dir, html))));
    }
    assert.match(build.read('docs/index.html'), /<pincite-chat base-url="?\/kit\//);
  });
}
