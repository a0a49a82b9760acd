/** Real builds of the fixture site, with a stub of the indexer. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The fixture site. */
export const SITE = fileURLToPath(new URL('fixtures/site/', import.meta.url));
const STUB = fileURLToPath(new URL('stub-pincite.js', import.meta.url));
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const DOCUSAURUS = 'node_modules/@docusaurus/core/bin/docusaurus.mjs';

/**
 * @typedef {object} Build
 * @property {string} outDir
 * @property {string} log Docusaurus's output.
 * @property {boolean} failed
 * @property {(locale: string) => {args: string[], manifest: import('../src/manifest.js').Manifest}} recorded
 * @property {(file: string) => string} read
 * @property {() => void} remove
 */

/**
 * @param {object} [settings]
 * @param {object} [settings.site] Overrides of the site's configuration.
 * @param {object} [settings.plugin] The plugin's options.
 * @param {Record<string, string>} [settings.env]
 * @param {string} [settings.dir] Another folder of the site, with Docusaurus installed.
 * @param {boolean} [settings.minified] Whether pages and scripts are minified, which takes a tenth of the build.
 * @returns {Promise<Build>}
 */
export async function buildSite({ site = {}, plugin = {}, env = {}, dir, minified = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pincite-site-'));
  const outDir = join(folder, 'build');
  const settings = { ...environment(folder, site, plugin), ...env };
  const command = [join(dir ?? PACKAGE, DOCUSAURUS), 'build', dir ?? SITE, '--out-dir', outDir, ...(minified ? [] : ['--no-minify'])];
  const { log, failed } = await runNode(command, settings);
  return {
    outDir,
    log,
    failed,
    recorded: (locale) => JSON.parse(readFileSync(join(folder, `${locale}.json`), 'utf8')),
    read: (file) => readFileSync(join(outDir, file), 'utf8'),
    remove: () => removeAll(folder),
  };
}

/**
 * Run `docusaurus start` until the test ends, with the index of an earlier build.
 *
 * @param {import('node:test').TestContext} t
 * @param {object} plugin The plugin's options.
 * @returns {Promise<string>} The site's origin.
 */
export async function startSite(t, plugin) {
  const folder = mkdtempSync(join(tmpdir(), 'pincite-site-'));
  const index = join(SITE, 'build', 'pincite', 'index.json');
  mkdirSync(join(SITE, 'build', 'pincite'), { recursive: true });
  writeFileSync(index, '{}');
  const port = await freePort();
  const args = [join(PACKAGE, DOCUSAURUS), 'start', SITE, '--no-open', '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(process.execPath, args, {
    env: { ...environment(folder, {}, plugin), NODE_ENV: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(async () => {
    child.kill('SIGINT');
    await once(child, 'exit');
    rmSync(index);
    removeAll(folder);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (/compiled .*successfully/i.test(line)) {
      break;
    }
  }
  return `http://127.0.0.1:${port}`;
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * @param {string} folder A temporary folder.
 * @param {object} site
 * @param {object} plugin
 * @returns {NodeJS.ProcessEnv}
 */
function environment(folder, site, plugin) {
  return {
    ...process.env,
    SITE_OPTIONS: JSON.stringify(site),
    PLUGIN_OPTIONS: JSON.stringify(plugin),
    PINCITE_COMMAND: `"${process.execPath}" "${STUB}"`,
    STUB_RECORD: folder,
    // No colours in the output, and no shared state between runs.
    FORCE_COLOR: '0',
    DOCUSAURUS_NO_PERSISTENT_CACHE: 'true',
    DOCUSAURUS_GENERATED_FILES_DIR_NAME: generatedFiles(folder),
  };
}

/** Below the site, from where its packages are found. @param {string} folder */
function generatedFiles(folder) {
  return join('.docusaurus', basename(folder));
}

/** @param {string} folder */
function removeAll(folder) {
  rmSync(folder, { recursive: true });
  rmSync(join(SITE, generatedFiles(folder)), { recursive: true, force: true });
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{log: string, failed: boolean}>}
 */
function runNode(args, env) {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      resolve({ log: stdout + stderr, failed: error !== null });
    });
  });
}
