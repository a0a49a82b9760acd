/**
 * Builds dist/: the loader, the chat that it loads on first use, the parts that the chat loads on demand, one file of texts
 * per language. File names are stable and imports between the files are relative, so dist/ can be served from anywhere.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));

/** The files of modules that are loaded on demand. @type {Record<string, string>} */
const PARTS = {
  'src/chat/chat.js': 'pincite-chat',
  'src/chat/answer-copy.js': 'pincite-answer-copy',
  'src/chat/browser-embedding.js': 'pincite-browser-embedding',
  'src/chat/check-settings.js': 'pincite-check-settings',
  'src/chat/code-colours.js': 'pincite-code-colours',
  'src/chat/consent.js': 'pincite-consent',
  'src/chat/deep-link.js': 'pincite-deep-link',
  'src/chat/details.js': 'pincite-details',
  'src/chat/history-view.js': 'pincite-history-view',
  'src/chat/page-copy.js': 'pincite-page-copy',
  'src/chat/status.js': 'pincite-status',
  'src/chat/vote.js': 'pincite-vote',
  'src/answering/answering.js': 'pincite-answering',
  'src/encoder/encoder.js': 'pincite-encoder',
  'src/frame/frame.js': 'pincite-frame',
  'src/landing/land.js': 'pincite-landing',
  'src/launcher/selection-button.js': 'pincite-selection',
  'src/search/search.js': 'pincite-search',
};

/** Without an extension that makes a host or browser decompress it. */
const RUNTIME = 'encoder/runtime.bin';

/**
 * Keeps dynamic imports of the parts as imports of their files.
 * @param {Record<string, string>} parts
 * @returns {esbuild.Plugin}
 */
const externalParts = (parts) => ({
  name: 'external-parts',
  setup(build) {
    build.onResolve({ filter: /\.js$/ }, ({ path, kind, resolveDir }) => {
      const part = kind === 'dynamic-import' && parts[relative(HERE, join(resolveDir, path)).replaceAll('\\', '/')];
      return part ? { path: `./${part}.js`, external: true } : undefined;
    });
  },
});

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
 * esbuild keeps the blanks in values of custom properties; in ours, blanks after colons and commas have no meaning.
 * @param {string} text
 */
function minifyCss(text) {
  return esbuild.transformSync(text, { loader: 'css', minify: true }).code.trim().replace(/([:,]) /gu, '$1');
}

/** Return every text that a site may replace, in English, as JSON for the site's authors. The chat does not read it. */
async function siteStrings() {
  const { default: english } = await import('./src/strings/en.js');
  const { ASK_ABOUT_THIS, LAUNCH } = await import('./src/launcher/labels.js');
  const texts = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, typeof text === 'string' ? text : text.other]));
  return `${JSON.stringify({ launch: LAUNCH.en, askAboutThis: ASK_ABOUT_THIS.en, ...texts }, null, 2)}\n`;
}

/**
 * Return the encoder's runtime from npm, gzipped: the widget decompresses it, so that any host can serve it. An existing file
 * of the same content is kept, because zlib versions write different bytes.
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
  const parts = { ...PARTS };
  for (const [folder, target] of [['src/strings', 'strings'], ['src/answering/stems', 'stems']]) {
    const files = (await readdir(join(HERE, folder))).filter((file) => file.endsWith('.js') && file !== 'en.js');
    for (const file of files) parts[`${folder}/${file}`] = `${target}/${file.replace('.js', '')}`;
  }
  const result = await esbuild.build({
    absWorkingDir: HERE,
    entryPoints: Object.entries({ 'src/pincite.js': 'pincite', 'src/encoder/worker.js': 'encoder/worker', ...parts })
      .map(([source, out]) => ({ in: source, out })),
    outdir: directory,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'inline', // Licences of bundled packages.
    pure: ['console.assert'], // In the Markdown parser.
    plugins: [externalParts(parts), minifiedStyles],
    write: false,
  });
  const wasm = await runtime();
  await rm(directory, { recursive: true, force: true });
  for (const { path, contents } of result.outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
  await writeFile(join(directory, 'strings.json'), await siteStrings());
  await writeFile(join(directory, RUNTIME), wasm);
  return [...result.outputFiles.map(({ path }) => path.slice(directory.length + 1)), 'strings.json'].sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log((await build()).join('\n'));
}
