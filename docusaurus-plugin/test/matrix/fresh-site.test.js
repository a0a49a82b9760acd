/**
 * The steps of a new user, without stubs: a site from create-docusaurus, the packed plugin, one entry
 * in its configuration, `npm run build`, `pincite serve`, a question. Slow; needs npm's registry.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../browser/launch.js';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
const DOCUSAURUS = '3.10.2';

/** The sidecar loads its model before it is ready, and the machine may be busy. */
const ANSWER_MS = 30_000;

/** The classic preset depends on DocSearch, whose versions are incomplete on some mirrors of the registry. */
const DOCSEARCH = { '@docsearch/react': '4.6.3', '@docsearch/core': '4.6.3', '@docsearch/css': '4.6.3' };

/** The most common search of Docusaurus sites without Algolia. */
const SEARCH = '@easyops-cn/docusaurus-search-local@0.55.3';

/** @param {string} cwd @param {string[]} command */
function run(cwd, ...command) {
  return execFileSync(command[0], command.slice(1), { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** @param {string} file @param {(text: string) => string} change */
function edit(file, change) {
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  assert.notEqual(after, before, `${file} is not as expected`);
  writeFileSync(file, after);
}

/** @param {string} folder @returns {string} The site's folder after `npm install`. */
function freshSite(folder) {
  run(folder, 'npx', '--yes', `create-docusaurus@${DOCUSAURUS}`, 'site', 'classic', '--javascript', '--skip-install');
  const site = join(folder, 'site');
  edit(join(site, 'package.json'), (text) => JSON.stringify({ ...JSON.parse(text), overrides: DOCSEARCH }));
  const packed = run(PACKAGE, 'npm', 'pack', '--silent', '--pack-destination', folder, '--ignore-scripts');
  run(site, 'npm', 'install', '--no-package-lock', join(folder, packed.trim()));
  edit(join(site, 'docusaurus.config.js'), (text) => (
    text.replace('  presets: [', "  plugins: [\n    ['docusaurus-plugin-pincite', {}],\n  ],\n  presets: [")));
  return site;
}

/**
 * @param {import('node:test').TestContext} t
 * @param {string} site
 * @returns {Promise<string>} The address of the site and its sidecar.
 */
async function serve(t, site) {
  const command = process.env.PINCITE_COMMAND ?? 'pincite';
  const sidecar = spawn(command, ['serve', '--site', join(site, 'build'), '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(async () => {
    sidecar.kill();
    await once(sidecar, 'exit');
  });
  for await (const line of createInterface({ input: sidecar.stdout })) {
    const address = /http:\S+/.exec(line);
    if (address) {
      return address[0];
    }
  }
  throw new Error('The sidecar did not start.');
}

/**
 * Build and serve the site, and open one of its pages.
 * @param {import('node:test').TestContext} t
 * @param {string} site
 */
async function buildAndVisit(t, site) {
  assert.match(run(site, 'npm', 'run', 'build'), /Pincite's index is in/);
  const address = await serve(t, site);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(ANSWER_MS);
  await page.goto(new URL('/docs/intro', address).href);
  return page;
}

test('a fresh classic site', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pincite-fresh-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const site = freshSite(folder);

  await t.test('answers with a citation after one entry in its configuration', async (t) => {
    const page = await buildAndVisit(t, site);
    await page.locator('pincite-chat [part=launcher]').click();
    await page.locator('pincite-chat textarea').fill('How do I create a new docs version?');
    await page.keyboard.press('Enter');
    await page.locator('pincite-chat a.cite').first().click();
    await page.waitForURL('**/docs/tutorial-extras/manage-docs-versions#create-a-docs-version');
    await page.waitForFunction(() => document.activeElement?.id === 'create-a-docs-version');
  });

  await t.test('keeps the keys of its search, which typing in the chat does not trigger', async (t) => {
    run(site, 'npm', 'install', '--no-package-lock', SEARCH);
    edit(join(site, 'docusaurus.config.js'), (text) => (
      text.replace('  presets: [', "  themes: ['@easyops-cn/docusaurus-search-local'],\n  presets: [")));
    const page = await buildAndVisit(t, site);
    const searching = () => page.locator('input.navbar__search-input').evaluate((input) => input === document.activeElement);
    await page.locator('input.navbar__search-input').waitFor();
    await page.keyboard.press('Control+k');
    await page.waitForFunction(() => document.activeElement?.matches('input.navbar__search-input'));
    await page.locator('pincite-chat [part=launcher]').click();
    const question = page.locator('pincite-chat textarea');
    await question.pressSequentially('a / s ? k');
    await question.press('Control+k');
    assert.equal(await searching(), false);
    assert.equal(await question.inputValue(), 'a / s ? k');
  });
});
