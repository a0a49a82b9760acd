/**
 * Runs the indexer. `pincite index SITE_DIR --manifest - --json` reads the manifest from standard input, writes progress in
 * lines to standard error, and one JSON object to standard output. If it fails, its last line is the reason.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
// Finds programs on Windows as elsewhere (PATHEXT, .cmd files, quoting).
import spawn from 'cross-spawn';
import { INSTALL, IndexerError } from './indexer.js';

/**
 * @import {ChildProcessWithoutNullStreams} from 'node:child_process'
 * @import {PluginOptions} from './index.js'
 * @import {Manifest} from './manifest.js'
 * @import {IndexReport} from './build.js'
 *
 * @typedef {{build_id?: string, size?: number, report?: IndexReport}} IndexResult
 *   The content of `index.json`, and the indexer's report.
 */

/** Prefix of the indexer's error messages. */
const ERROR_PREFIX = /^(?:pincite|error): /i;

/** Standard input is UTF-8 in every locale; progress is not buffered, and consists of lines, not bars. */
const PYTHON_ENVIRONMENT = { PYTHONUTF8: '1', PYTHONUNBUFFERED: '1', TQDM_DISABLE: '1' };

/**
 * Return the arguments of the indexer.
 * @param {string} outDir
 * @param {Pick<PluginOptions, 'model' | 'onLostId' | 'noindex'>
 *   & Partial<Pick<PluginOptions, 'api' | 'llms' | 'search' | 'browserAnswers' | 'embedder'>>} options
 * @param {string | undefined} previous File or URL of the last deployed index.
 */
export function indexArguments(outDir, { api, model, onLostId, noindex, llms, search = true, browserAnswers, embedder }, previous) {
  const answers = browserAnswers || api === false;
  return [
    ...['index', outDir, '--manifest', '-', '--json'],
    ...(model ? ['--model', model] : []),
    // IDs can be lost only in comparison with a previous index.
    ...(previous ? ['--previous', previous, '--on-lost-id', onLostId] : []),
    ...(noindex === 'include' ? ['--noindex', 'include'] : []),
    ...(llms ? ['--llms'] : []),
    // Answers in the browser need the files of the search.
    ...(answers ? ['--browser-answers'] : search ? [] : ['--no-search']),
    ...(embedder === 'browser' ? ['--browser-encoder'] : []),
  ];
}

/**
 * Index the built site.
 * @param {string[]} command
 * @param {string[]} args
 * @param {object} run
 * @param {Manifest} run.manifest
 * @param {string} run.cwd
 * @param {(line: string) => void} run.onProgress Called with each line of standard error.
 * @returns {Promise<IndexResult>}
 * @throws {IndexerError} With the indexer's last line.
 */
export async function runIndexer([program, ...first], args, { manifest, cwd, onProgress }) {
  const env = { ...process.env, ...PYTHON_ENVIRONMENT };
  const child = /** @type {ChildProcessWithoutNullStreams} */ (
    spawn(program, [...first, ...args], { cwd, env, windowsHide: true })
  );
  const stop = () => child.kill();
  process.once('exit', stop);
  let lastLine = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLine = line.trim() || lastLine;
    onProgress(line);
  });
  // The exit code says more about a child that does not read its input than the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(manifest));
  try {
    const [stdout, [exitCode, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (exitCode === 0) {
      return parseResult(stdout, program);
    }
    const end = signal ? `was ended by ${signal}` : `failed with exit code ${exitCode}`;
    throw new IndexerError(lastLine.replace(ERROR_PREFIX, '')
      || `The indexer "${program}" ${end} and did not say why. Run it by hand with "--help" to see whether it starts.`);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') {
      throw error;
    }
    throw new IndexerError(`The indexer "${program}" does not exist. Install it with ${INSTALL} or correct the setting that names it.`);
  } finally {
    process.removeListener('exit', stop);
  }
}

/** @param {string} stdout @param {string} program @returns {IndexResult} */
function parseResult(stdout, program) {
  try {
    const result = JSON.parse(stdout);
    if (typeof result === 'object' && result !== null) {
      return result;
    }
  } catch {
    // The output is not JSON.
  }
  throw new IndexerError(
    `The indexer "${program}" succeeded but wrote no result. `
      + 'Check that it is Pincite\'s: its command must accept "index SITE_DIR --manifest - --json".',
  );
}
