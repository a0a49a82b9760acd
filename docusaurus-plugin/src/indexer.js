/**
 * The indexer: which command it is on this machine, and one run of it.
 *
 * The contract: `pincite index SITE_DIR --manifest - --json` takes the manifest on standard input, says its progress in
 * lines on standard error and ends with one JSON object on standard output. When it fails, the last line says why.
 */

import {createInterface} from 'node:readline';
// Windows' PATHEXT and ending the child when Docusaurus ends, both easy to get subtly wrong. Version 5, because Docusaurus
// has it already and loads plugins with a loader that later versions, being ES modules only, do not get through.
import execa from 'execa';
// Splits a command line as a shell would; version 0.3 for the same reason.
import {parseArgsStringToArgv} from 'string-argv';

/**
 * @import {PluginOptions} from './index.js'
 * @import {Manifest} from './manifest.js'
 */

/**
 * @typedef {object} Candidate A command that may be the indexer.
 * @property {string[]} command Program and first arguments.
 * @property {string} origin Why it is tried, for messages.
 * @property {string[] | null} probe What succeeds where the command can be used; null takes it on trust.
 *
 * @typedef {Record<string, unknown> & {counts?: Record<string, number>, report?: unknown}} IndexResult
 *   The content of `index.json`, and the indexer's report.
 */

/** Names the environment's own choice of indexer, as a command line. */
export const COMMAND_VARIABLE = 'PINCITE_COMMAND';

const INSTALL = `pip install 'pincite[index]'`;

/** Standard input is UTF-8 whatever the machine's locale, and progress arrives while it happens. */
const PYTHON_ENVIRONMENT = {PYTHONUTF8: '1', PYTHONUNBUFFERED: '1'};

/** The indexer could not be found or did not do its work; the message is for the maintainer. */
export class IndexerError extends Error {
  name = 'IndexerError';
}

/**
 * The commands that may be the indexer, best first. One that somebody asked for is the only one.
 *
 * @param {Pick<PluginOptions, 'indexer' | 'python'>} options
 * @param {Record<string, string | undefined>} environment
 * @param {NodeJS.Platform} platform
 * @returns {Candidate[]}
 */
export function indexerCandidates({indexer, python}, environment, platform) {
  if (indexer) {
    return [{command: commandParts(indexer), origin: 'option "indexer"', probe: null}];
  }
  const named = environment[COMMAND_VARIABLE];
  if (named) {
    return [{command: commandParts(named), origin: COMMAND_VARIABLE, probe: null}];
  }
  if (python) {
    return [pythonModule([python], 'option "python"')];
  }
  return [
    {command: ['pincite'], origin: 'PATH', probe: ['pincite', '--version']},
    pythonModule(platform === 'win32' ? ['py', '-3'] : ['python3'], 'Python'),
    {command: ['uvx', '--from', 'pincite[index]', 'pincite'], origin: 'uv', probe: ['uvx', '--version']},
  ];
}

/**
 * The first candidate that is there.
 *
 * @param {Candidate[]} candidates
 * @param {string} cwd
 * @returns {Promise<Candidate>}
 * @throws {IndexerError} Naming everything that was tried.
 */
export async function findIndexer(candidates, cwd) {
  for (const candidate of candidates) {
    if (await isUsable(candidate, cwd)) {
      return candidate;
    }
  }
  const tried = candidates.map(({command, origin}) => `${command.join(' ')} (${origin})`).join(', ');
  throw new IndexerError(
    `Pincite's indexer was not found. Tried: ${tried}. ` +
      `Install it with ${INSTALL}, name it with the option "python" or ${COMMAND_VARIABLE}, or set the option "index" to false.`,
  );
}

/**
 * The arguments of one indexing run.
 *
 * @param {string} outDir
 * @param {Pick<PluginOptions, 'model' | 'onLostId' | 'noindex'>} options
 * @param {string | undefined} previous File or URL of the last deployed index.
 * @returns {string[]}
 */
export function indexArguments(outDir, {model, onLostId, noindex}, previous) {
  return [
    ...['index', outDir, '--manifest', '-', '--json', '--on-lost-id', onLostId],
    ...(model ? ['--model', model] : []),
    ...(previous ? ['--previous', previous] : []),
    ...(noindex === 'include' ? ['--noindex', 'include'] : []),
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
export async function runIndexer([program, ...first], args, {manifest, cwd, onProgress}) {
  const child = execa(program, [...first, ...args], {cwd, env: PYTHON_ENVIRONMENT, reject: false});
  // A child that ends without reading its input is reported by its exit, not by a broken pipe here.
  child.stdin?.on('error', () => {});
  child.stdin?.end(JSON.stringify(manifest));
  if (child.stderr) {
    createInterface({input: child.stderr}).on('line', onProgress);
  }
  const result = await child;
  if (result.failed) {
    throw new IndexerError(failureMessage(result, program));
  }
  return parseResult(result.stdout, program);
}

/**
 * @param {execa.ExecaReturnValue & {code?: string}} result
 * @param {string} program
 */
function failureMessage({code, exitCode, signal, stderr}, program) {
  if (code === 'ENOENT') {
    return `The indexer "${program}" does not exist. Install it with ${INSTALL} or correct the option that names it.`;
  }
  const lastLine = stderr.trim().split('\n').at(-1);
  if (lastLine) {
    return lastLine;
  }
  const end = signal ? `was ended by ${signal}` : `failed with exit code ${exitCode}`;
  return `The indexer "${program}" ${end} and did not say why. Run it by hand with the option "--help" to see whether it starts.`;
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
    `The indexer "${program}" ended well but wrote no result. ` +
      `Is it Pincite's? Its command must take "index SITE_DIR --manifest - --json".`,
  );
}

/**
 * @param {Candidate} candidate
 * @param {string} cwd
 */
async function isUsable({probe}, cwd) {
  if (probe === null) {
    return true;
  }
  const [program, ...args] = probe;
  const result = await execa(program, args, {cwd, reject: false, stdio: 'ignore'});
  return !result.failed;
}

/**
 * @param {string[]} interpreter
 * @param {string} origin
 * @returns {Candidate}
 */
function pythonModule(interpreter, origin) {
  const command = [...interpreter, '-m', 'pincite_indexer'];
  return {command, origin, probe: [...command, '--version']};
}

/** @param {string | string[]} command */
function commandParts(command) {
  return Array.isArray(command) ? command : parseArgsStringToArgv(command);
}
