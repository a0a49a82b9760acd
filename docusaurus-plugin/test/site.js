/** Real builds of the fixture site, with the stub in the indexer's place. */
import {execFile} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const SITE = fileURLToPath(new URL('fixtures/site/', import.meta.url));
const STUB = fileURLToPath(new URL('stub-indexer.js', import.meta.url));
const DOCUSAURUS = fileURLToPath(new URL('../node_modules/@docusaurus/core/bin/docusaurus.mjs', import.meta.url));

/**
 * @typedef {object} Build
 * @property {string} outDir
 * @property {string} log What Docusaurus printed.
 * @property {boolean} failed
 * @property {(locale: string) => {args: string[], manifest: import('../src/manifest.js').Manifest}} recorded
 * @property {(file: string) => string} read
 * @property {() => void} remove
 */

/**
 * @param {object} [settings]
 * @param {object} [settings.site] Replaces parts of the site's configuration.
 * @param {object} [settings.plugin] The plugin's options.
 * @param {Record<string, string>} [settings.env]
 * @returns {Promise<Build>}
 */
export async function buildSite({site = {}, plugin = {}, env = {}} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pincite-site-'));
  const outDir = join(folder, 'build');
  const environment = {
    ...process.env,
    SITE_OPTIONS: JSON.stringify(site),
    PLUGIN_OPTIONS: JSON.stringify(plugin),
    PINCITE_COMMAND: `"${process.execPath}" "${STUB}"`,
    STUB_RECORD: folder,
    // No colours in what is compared, and nothing left over from the build before.
    FORCE_COLOR: '0',
    DOCUSAURUS_NO_PERSISTENT_CACHE: 'true',
    ...env,
  };
  const {log, failed} = await docusaurus(['build', SITE, '--out-dir', outDir], environment);
  return {
    outDir,
    log,
    failed,
    recorded: (locale) => JSON.parse(readFileSync(join(folder, `${locale}.json`), 'utf8')),
    read: (file) => readFileSync(join(outDir, file), 'utf8'),
    remove: () => rmSync(folder, {recursive: true}),
  };
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{log: string, failed: boolean}>}
 */
function docusaurus(args, env) {
  return new Promise((resolve) => {
    execFile(process.execPath, [DOCUSAURUS, ...args], {env}, (error, stdout, stderr) => {
      resolve({log: stdout + stderr, failed: error !== null});
    });
  });
}
