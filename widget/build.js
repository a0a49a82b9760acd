/**
 * Builds dist/: the loader, the chat it loads on first use, one file of strings per language. File names are stable and
 * imports between these files are relative, so that dist/ can be served from anywhere.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild'; // Bundles, minifies and leaves plain modules; nothing to configure.

const HERE = dirname(fileURLToPath(import.meta.url));

/** Modules that are loaded on demand stay files of their own, under these names. */
const ON_DEMAND = [
  { source: /^\.\/chat\/chat\.js$/u, file: () => './pincite-chat.js' },
  { source: /^\.\.\/strings\/(\w+)\.js$/u, file: (/** @type {string} */ name) => `./strings/${name}.js` },
];

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

/**
 * @param {string} [directory]
 * @returns {Promise<string[]>} The files written, relative to the directory.
 */
export async function build(directory = join(HERE, 'dist')) {
  const languages = await readdir(join(HERE, 'src/strings'));
  const result = await esbuild.build({
    absWorkingDir: HERE,
    entryPoints: [
      { in: 'src/pincite.js', out: 'pincite' },
      { in: 'src/chat/chat.js', out: 'pincite-chat' },
      ...languages.filter((file) => file !== 'en.js')
        .map((file) => ({ in: `src/strings/${file}`, out: `strings/${file.replace('.js', '')}` })),
    ],
    outdir: directory,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'inline', // The licences of what is bundled.
    drop: ['console'], // Assertions inside the Markdown parser.
    plugins: [onDemandFiles, minifiedStyles],
    write: false,
  });
  await rm(directory, { recursive: true, force: true });
  for (const { path, contents } of result.outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
  return result.outputFiles.map(({ path }) => path.slice(directory.length + 1)).sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log((await build()).join('\n'));
}
