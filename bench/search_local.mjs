/**
 * Index a built site as docusaurus-search-local does after a Docusaurus build: node search_local.mjs PEERS < pages.json > index.json
 * Bundle the code of its search bar: node search_local.mjs PEERS --worker FILE
 *
 * The plugin's own code runs on both sides, with its own defaults. The input replaces data that only a running Docusaurus
 * has: the routes of one language and version, and the file of each route.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [peers, ...rest] = process.argv.slice(2);
const require = createRequire(join(resolve(peers), 'package.json'));
const server = (name) => require(`@easyops-cn/docusaurus-search-local/dist/server/server/utils/${name}.js`)[name];

/** The plugin's defaults. The docs path is the real path, as a site owner would set it for docs outside of /docs. */
function settings() {
  const { normalizePluginOptions: validate } = require('@docusaurus/utils-validation');
  const options = server('validateOptions')({ options: { docsRouteBasePath: '/' }, validate });
  return server('processPluginOptions')(options, { siteDir: '.', siteConfig: { themeConfig: {} } });
}

/** Return the plugin's five indexes of the pages (titles, headings, descriptions, keywords, contents), as it writes them. */
async function index(files) {
  const config = settings();
  const build = { routesPaths: Object.keys(files), outDir: '', baseUrl: '/', siteConfig: {} };
  const [{ paths }] = server('processDocInfos')(build, config);
  const named = paths.map((path) => ({ ...path, filePath: files[path.url] }));
  return JSON.stringify(server('buildIndex')(await server('scanDocuments')(named, config), config));
}

/** Return the worker code of the plugin's search bar, as one module. */
async function bundle(outfile) {
  const generated = mkdtempSync(join(tmpdir(), 'search-local-'));
  server('generate')(settings(), generated);
  await require('esbuild').build({
    entryPoints: [require.resolve('@easyops-cn/docusaurus-search-local/dist/client/client/theme/worker.js')],
    alias: { '@generated/@easyops-cn/docusaurus-search-local/default': generated },
    bundle: true, minify: true, format: 'esm', platform: 'browser', outfile,
  });
  rmSync(generated, { recursive: true });
}

if (rest[0] === '--worker') await bundle(resolve(rest[1]));
else process.stdout.write(await index(JSON.parse(readFileSync(0, 'utf8'))));
