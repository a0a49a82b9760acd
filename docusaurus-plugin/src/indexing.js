/**
 * One run of the indexer.
 *
 * The contract: `pincite index SITE_DIR --manifest - --json` takes the manifest on standard input, says its progress in
 * lines on standard error and ends with one JSON object on standard output. When it fails, the last line says why.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
// Finds programs on Windows as it does elsewhere (PATHEXT, .cmd files, quoting).
import spawn from 'cross-spawn';
import { INSTALL, IndexerError } from './indexer.js';

/**
 * @import {ChildProcessWithoutNullStreams} from 'node:child_process'
 * @import {PluginOptions} from './index.js'
 * @import {Manifest} from './manifest.js'
 * @import {IndexReport} from './report.js'
 *
 * @typedef {{build_id?: string, size?: number, report?: IndexReport}} IndexResult
 *   The content of `index.json`, and the indexer's report.
 */

/** How command lines begin the sentence that says what is wrong. */
const ERROR_PREFIX = /^(?:pincite|error): /i;

/** Standard input is UTF-8 whatever the machine's locale; progress arrives while it happens, in lines instead of bars. */
const PYTHON_ENVIRONMENT = { PYTHONUTF8: '1', PYTHONUNBUFFERED: '1', TQDM_DISABLE: '1' };

/**
 * The arguments of one indexing run.
 *
 * @param {string} outDir
 * @param {Pick<PluginOptions, 'model' | 'onLostId' | 'noindex'>
 *   & Partial<Pick<PluginOptions, 'api' | 'llms' | 'search' | 'browserAnswers' | 'embedder'>>} options
 * @param {string | undefined} previous File or URL of the last deployed index.
 * @returns {string[]}
 */
export function indexArguments(outDir, { api, model, onLostId, noindex, llms, search = true, browserAnswers, embedder }, previous) {
  const answers = browserAnswers || api === false;
  return [
    ...['index', outDir, '--manifest', '-', '--json'],
    ...(model ? ['--model', model] : []),
    // Only a previous index shows which IDs are lost.
    ...(previous ? ['--previous', previous, '--on-lost-id', onLostId] : []),
    ...(noindex === 'include' ? ['--noindex', 'include'] : []),
    ...(llms ? ['--llms'] : []),
    // What answers there searches the same files.
    ...(answers ? ['--browser-answers'] : search ? [] : ['--no-search']),
    ...(embedder === 'browser' ? ['--browser-encoder'] : []),
  ];
}

/**
 * Index the built site.
 *
 * @param {string[]} command
 * @param {string[]} args
 * @param {object} run
 * @param {Manifest} run.manifest
 * @param {string} run.cwd
 * @param {(line: string) => void} run.onProgress Called with each line of standard error.
 * @returns {Promise<IndexResult>}
 * @throws {IndexerError} With the indexer's own last sentence.
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
  // A child that ends without reading its input is reported by how it ended, not by the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(manifest));
  try {
    const [stdout, [exitCode, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (exitCode !== 0) {
      throw new IndexerError(lastLine.replace(ERROR_PREFIX, '') || silentFailure(program, exitCode, signal));
    }
    return parseResult(stdout, program);
  } catch (error) {
    throw isMissing(error) ? new IndexerError(missing(program)) : error;
  } finally {
    process.removeListener('exit', stop);
  }
}

/** @param {unknown} error */
function isMissing(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
}

/** @param {string} program */
function missing(program) {
  return `The indexer "${program}" does not exist. Install it with ${INSTALL} or correct the setting that names it.`;
}

/**
 * @param {string} program
 * @param {number | null} exitCode
 * @param {string | null} signal
 */
function silentFailure(program, exitCode, signal) {
  const end = signal ? `was ended by ${signal}` : `failed with exit code ${exitCode}`;
  return `The indexer "${program}" ${end} and did not say why. Run it by hand with "--help" to see whether it starts.`;
}

/**
 * @param {string} stdout
 * @param {string} program
 * @returns {IndexResult}
 */
function parseResult(stdout, program) {
  try {
    const result = JSON.parse(stdout);
    if (typeof result === 'object' && result !== null) {
      return result;
    }
  } catch {
    // Falls through: what was printed is no JSON at all.
  }
  throw new IndexerError(
    `The indexer "${program}" ended well but wrote no result. `
      + 'Is it Pincite\'s? Its command must take "index SITE_DIR --manifest - --json".',
  );
}
