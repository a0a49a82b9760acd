/**
 * Finds the command of the indexer. It must have the plugin's minor version, because both are released together and the format
 * of the manifest may change with a minor version.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
// Finds programs on Windows as elsewhere (PATHEXT, .cmd files, quoting).
import spawn from 'cross-spawn';
// Splits a command line like a shell. Version 0.3: Docusaurus's plugin loader needs CommonJS.
import { parseArgsStringToArgv } from 'string-argv';

/**
 * @import {PluginOptions} from './index.js'
 *
 * @typedef {object} Candidate A command that may be the indexer.
 * @property {string[]} command Program and first arguments.
 * @property {string} origin For messages: where the command comes from.
 * @property {string[] | null} probe A command that succeeds if the candidate is usable; null skips the check.
 */

/** An environment variable with the command line of the indexer. */
const COMMAND_VARIABLE = 'PINCITE_COMMAND';

/** The plugin's version, such as `1.2.3`. @type {string} */
export const VERSION = createRequire(import.meta.url)('../package.json').version;

/** A pip requirement that matches all versions of the indexer that fit the plugin. */
export const REQUIREMENT = `pincite[index]~=${minorOf(VERSION)}.0`;

/** The command that installs the indexer. */
export const INSTALL = `pip install '${REQUIREMENT}'`;

/** Matches the output of `pincite --version`. */
const PRINTED_VERSION = /\bversion (\d+\.\d+\S*)/;

/** The indexer was not found or failed. The message is for the site's maintainer. */
export class IndexerError extends Error {
  name = 'IndexerError';

  /** @param {string} message */
  constructor(message) {
    super(message);
    this.stack = message; // Docusaurus prints the stack, which would bury the message.
  }
}

/**
 * Return the commands that may be the indexer, best first. An explicit choice is the only one.
 * @param {Pick<PluginOptions, 'indexer' | 'python'>} options
 * @param {Record<string, string | undefined>} environment
 * @param {NodeJS.Platform} platform
 * @returns {Candidate[]}
 */
export function indexerCandidates({ indexer, python }, environment, platform) {
  if (indexer) {
    const command = Array.isArray(indexer) ? indexer : parseArgsStringToArgv(indexer);
    return [{ command, origin: 'option "indexer"', probe: null }];
  }
  const chosen = environment[COMMAND_VARIABLE]?.trim();
  if (chosen) {
    return [{ command: parseArgsStringToArgv(chosen), origin: COMMAND_VARIABLE, probe: null }];
  }
  if (python) {
    return [pythonModule([python], 'option "python"')];
  }
  return [
    { command: ['pincite'], origin: 'PATH', probe: ['pincite', '--version'] },
    pythonModule(platform === 'win32' ? ['py', '-3'] : ['python3'], 'Python'),
    { command: ['uvx', '--from', REQUIREMENT, 'pincite'], origin: 'uv', probe: ['uvx', '--version'] },
  ];
}

/** @param {string[]} interpreter @param {string} origin @returns {Candidate} */
function pythonModule(interpreter, origin) {
  const command = [...interpreter, '-m', 'pincite_indexer'];
  return { command, origin, probe: [...command, '--version'] };
}

/**
 * Return the first usable candidate, if its version fits the plugin.
 * @param {Candidate[]} candidates
 * @param {string} cwd
 * @throws {IndexerError} Names all candidates, or the version that was found and the one that is needed.
 */
export async function findIndexer(candidates, cwd) {
  for (const candidate of candidates) {
    const { command, origin, probe } = candidate;
    if (probe !== null && (await outputOf(probe, cwd)) === null) {
      continue;
    }
    // A command that prints no version, such as a wrapper script, is accepted.
    const version = PRINTED_VERSION.exec((await outputOf([...command, '--version'], cwd)) ?? '')?.[1];
    if (version && minorOf(version) !== minorOf(VERSION)) {
      throw new IndexerError(
        `docusaurus-plugin-pincite ${VERSION} needs pincite ${minorOf(VERSION)}, but ${command.join(' ')} (${origin}) is `
          + `${version}: run ${INSTALL}, or keep it and run npm install docusaurus-plugin-pincite@${minorOf(version)}.`,
      );
    }
    return candidate;
  }
  const tried = candidates.map(({ command, origin }) => `${command.join(' ')} (${origin})`).join(', ');
  throw new IndexerError(
    `Pincite's indexer was not found. Tried: ${tried}. `
      + `Install it with ${INSTALL}, name it with the option "python" or ${COMMAND_VARIABLE}, or set the option "index" to false.`,
  );
}

/** Return the first two parts of a version. @param {string} version */
function minorOf(version) {
  return version.split('.', 2).join('.');
}

/**
 * @param {string[]} command
 * @param {string} cwd
 * @returns {Promise<string | null>} The command's standard output; null if it does not exist or fails.
 */
async function outputOf([program, ...args], cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
  const output = child.stdout ? text(child.stdout) : '';
  const [exitCode] = await once(child, 'close').catch(() => [null]);
  return exitCode === 0 ? output : null;
}
