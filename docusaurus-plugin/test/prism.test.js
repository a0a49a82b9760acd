import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findPrism } from '../src/prism.js';

/** @type {string} */
let folder;
before(() => { folder = realpathSync(mkdtempSync(join(tmpdir(), 'pincite-prism-'))); });
after(() => rmSync(folder, { recursive: true }));

/**
 * Create a site with packages, each installed below the one before.
 *
 * @param {string} name
 * @param {string[]} packages
 * @returns {{site: string, last: string}}
 */
function install(name, ...packages) {
  const site = join(folder, name);
  let last = site;
  for (const installed of packages) {
    last = join(last, 'node_modules', installed);
    mkdirSync(last, { recursive: true });
    writeFileSync(join(last, 'package.json'), '{}');
  }
  mkdirSync(site, { recursive: true });
  return { site, last };
}

const THEME = '@docusaurus/theme-classic';

for (const [how, packages] of /** @type {[string, string[]][]} */ ([
  ['the theme', [THEME, 'prism-react-renderer']],
  ['the preset alone', ['@docusaurus/preset-classic', THEME, 'prism-react-renderer']],
])) {
  test(`the highlighter of a site that installed ${how} is found`, () => {
    const { site, last } = install(how, ...packages);
    assert.equal(findPrism(site), last);
  });
}

test("the theme's copy has precedence over another one of the site", () => {
  const { site } = install('both', 'prism-react-renderer');
  const { last } = install('both', THEME, 'prism-react-renderer');
  assert.equal(findPrism(site), last);
});

test('a site without the classic theme has none', () => {
  assert.equal(findPrism(install('plain', 'prism-react-renderer').site), null);
});
