/**
 * Builds dist/: the loader, the chat it loads on first use, what the chat loads when it is needed, one file of strings
 * per language. File names are stable and
 * imports between these files are relative, so that dist/ can be served from anywhere.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild'; // Bundles, minifies and leaves plain modules; nothing to configure.

const HERE = dirname(fileURLToPath(import.meta.url));

/** Modules that are loaded on demand stay files of their own, under these names. */
const ON_DEMAND = [
  { source: /^\.\/chat\/chat\.js$/u, file: () => './pincite-chat.js' },
  { source: /^\.\/(?:chat\/)?(answer-copy|check-settings|code-colours|consent|deep-link|details|earlier|own-machine|page-copy|status|vote)\.js$/u, file: (/** @type {string} */ name) => `./pincite-${name}.js` },
  { source: /^\.\/stems\/(\w+)\.js$/u, file: (/** @type {string} */ name) => `./stems/${name}.js` },
  { source: /^\.\.\/answering\/answering\.js$/u, file: () => './pincite-answering.js' },
  { source: /^\.\.\/search\/search\.js$/u, file: () => './pincite-search.js' },
  { source: /^\.\.\/encoder\/encoder\.js$/u, file: () => './pincite-encoder.js' },
  { source: /^\.\.\/frame\/frame\.js$/u, file: () => './pincite-frame.js' },
  { source: /^\.\/launcher\/selection-button\.js$/u, file: () => './pincite-selection.js' },
  { source: /^\.\.\/landing\/land\.js$/u, file: () => './pincite-landing.js' },
  { source: /^\.\.\/strings\/([\w-]+)\.js$/u, file: (/** @type {string} */ name) => `./strings/${name}.js` },
];

/** No ending that a host would decompress by itself. */
const RUNTIME = 'encoder/runtime.bin';

/** @type {esbuild.Plugin} */
const onDemandFiles = {
  name: 'on-demand-files',
  setup(build) {
    build.onResolve({ filter: /\.js$/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const match = ON_DEMAND.find(({ source }) => source.test(path));
      return match && { path: match.file(match.source.exec(path)?.[1] ?? ''), external: true };
    });
  },
};

/** @type {esbuild.Plugin} */
const minifiedStyles = {
  name: 'minified-styles',
  setup(build) {
    build.onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(/\bcss`([^`]*)`/gu, (_, text) => JSON.stringify(minifyCss(text)));
      return { contents, loader: 'js' };
    });
  },
};

/**
 * esbuild leaves the values of custom properties as they are written; in ours no blank after a colon or a comma counts.
 * @param {string} text
 */
function minifyCss(text) {
  return esbuild.transformSync(text, { loader: 'css', minify: true }).code.trim().replace(/([:,]) /gu, '$1');
}

/** Every text a site may replace, in English, for who writes and checks them; the chat itself does not read it. */
async function words() {
  const { default: english } = await import('./src/strings/en.js');
  const { ASK_ABOUT_THIS, LAUNCH } = await import('./src/launcher/labels.js');
  const texts = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, typeof text === 'string' ? text : text.other]));
  return `${JSON.stringify({ launch: LAUNCH.en, askAboutThis: ASK_ABOUT_THIS.en, ...texts }, null, 2)}\n`;
}

/**
 * The encoder's runtime as npm has it, gzipped: readers decompress it themselves, whatever their host does. What was built of
 * the same file stays, since not every zlib makes the same bytes.
 */
async function runtime() {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm')));
  const built = await readFile(join(HERE, 'dist', RUNTIME)).catch(() => null);
  return built && gunzipSync(built).equals(wasm) ? built : gzipSync(wasm, { level: 9 });
}

/**
 * @param {string} [directory]
 * @returns {Promise<string[]>} The files written, relative to the directory.
 */
export async function build(directory = join(HERE, 'dist')) {
  const languages = (await readdir(join(HERE, 'src/strings'))).filter((file) => file.endsWith('.js'));
  const stems = await readdir(join(HERE, 'src/answering/stems'));
  const result = await esbuild.build({
    absWorkingDir: HERE,
    entryPoints: [
      { in: 'src/pincite.js', out: 'pincite' },
      { in: 'src/chat/chat.js', out: 'pincite-chat' },
      { in: 'src/chat/answer-copy.js', out: 'pincite-answer-copy' },
      { in: 'src/chat/check-settings.js', out: 'pincite-check-settings' },
      { in: 'src/chat/code-colours.js', out: 'pincite-code-colours' },
      { in: 'src/chat/consent.js', out: 'pincite-consent' },
      { in: 'src/chat/deep-link.js', out: 'pincite-deep-link' },
      { in: 'src/chat/details.js', out: 'pincite-details' },
      { in: 'src/chat/earlier.js', out: 'pincite-earlier' },
      { in: 'src/chat/page-copy.js', out: 'pincite-page-copy' },
      { in: 'src/encoder/encoder.js', out: 'pincite-encoder' },
      { in: 'src/encoder/worker.js', out: 'encoder/worker' },
      { in: 'src/answering/answering.js', out: 'pincite-answering' },
      { in: 'src/chat/own-machine.js', out: 'pincite-own-machine' },
      { in: 'src/frame/frame.js', out: 'pincite-frame' },
      { in: 'src/landing/land.js', out: 'pincite-landing' },
      { in: 'src/search/search.js', out: 'pincite-search' },
      { in: 'src/chat/status.js', out: 'pincite-status' },
      { in: 'src/chat/vote.js', out: 'pincite-vote' },
      { in: 'src/launcher/selection-button.js', out: 'pincite-selection' },
      ...languages.filter((file) => file !== 'en.js')
        .map((file) => ({ in: `src/strings/${file}`, out: `strings/${file.replace('.js', '')}` })),
      ...stems.map((file) => ({ in: `src/answering/stems/${file}`, out: `stems/${file.replace('.js', '')}` })),
    ],
    outdir: directory,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'inline', // The licences of what is bundled.
    pure: ['console.assert'], // Inside the Markdown parser.
    plugins: [onDemandFiles, minifiedStyles],
    write: false,
  });
  const wasm = await runtime();
  await rm(directory, { recursive: true, force: true });
  for (const { path, contents } of result.outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
  await writeFile(join(directory, 'strings.json'), await words());
  await writeFile(join(directory, RUNTIME), wasm);
  return [...result.outputFiles.map(({ path }) => path.slice(directory.length + 1)), 'strings.json'].sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log((await build()).join('\n'));
}
