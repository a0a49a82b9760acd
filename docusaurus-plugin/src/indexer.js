/** Which command on this machine is the indexer. */

import { once } from 'node:events';
import { text } from 'node:stream/consumers';
// Finds programs on Windows as it does elsewhere (PATHEXT, .cmd files, quoting).
import spawn from 'cross-spawn';
// Splits a command line as a shell would. Version 0.3: Docusaurus's loader of plugins wants CommonJS.
import { parseArgsStringToArgv } from 'string-argv';
import { isNeeded, minorOf, NEEDED, VERSION, versionIn } from './version.js';

/** @import {PluginOptions} from './index.js' */

/**
 * @typedef {object} Candidate A command that may be the indexer.
 * @property {string[]} command Program and first arguments.
 * @property {string} origin Why it is tried, for messages.
 * @property {string[] | null} probe What succeeds where the command can be used; null takes it on trust.
 */

/** Names the environment's own choice of indexer, as a command line. */
export const COMMAND_VARIABLE = 'PINCITE_COMMAND';

const REQUIREMENT = `pincite[index]${NEEDED}`;

/** How the indexer is installed. */
export const INSTALL = `pip install '${REQUIREMENT}'`;

/** The indexer could not be found or did not do its work; the message is for the maintainer. */
export class IndexerError extends Error {
  name = 'IndexerError';

  /** @param {string} message */
  constructor(message) {
    super(message);
    this.stack = message; // Docusaurus prints it; where in the plugin it was raised would only hide the message.
  }
}

/**
 * The commands that may be the indexer, best first. One that somebody asked for is the only one.
 *
 * @param {Pick<PluginOptions, 'indexer' | 'python'>} options
 * @param {Record<string, string | undefined>} environment
 * @param {NodeJS.Platform} platform
 * @returns {Candidate[]}
 */
export function indexerCandidates({ indexer, python }, environment, platform) {
  if (indexer) {
    return [{ command: commandParts(indexer), origin: 'option "indexer"', probe: null }];
  }
  const named = environment[COMMAND_VARIABLE]?.trim();
  if (named) {
    return [{ command: commandParts(named), origin: COMMAND_VARIABLE, probe: null }];
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

/**
 * The first candidate that is there, provided that it is of a version that goes with this plugin.
 *
 * @param {Candidate[]} candidates
 * @param {string} cwd
 * @returns {Promise<Candidate>}
 * @throws {IndexerError} Naming everything that was tried, or the version that was found and the one that is needed.
 */
export async function findIndexer(candidates, cwd) {
  for (const candidate of candidates) {
    if (await isUsable(candidate, cwd)) {
      await refuseOtherVersion(candidate, cwd);
      return candidate;
    }
  }
  const tried = candidates.map(({ command, origin }) => `${command.join(' ')} (${origin})`).join(', ');
  throw new IndexerError(
    `Pincite's indexer was not found. Tried: ${tried}. `
      + `Install it with ${INSTALL}, name it with the option "python" or ${COMMAND_VARIABLE}, or set the option "index" to false.`,
  );
}

/**
 * @param {Candidate} candidate
 * @param {string} cwd
 */
async function isUsable({ probe }, cwd) {
  if (probe === null) {
    return true;
  }
  return (await printedBy(probe, cwd)) !== null;
}

/**
 * A command that does not tell its version, as somebody's own wrapper may not, is taken on trust.
 *
 * @param {Candidate} candidate
 * @param {string} cwd
 * @throws {IndexerError}
 */
async function refuseOtherVersion({ command, origin }, cwd) {
  const version = versionIn((await printedBy([...command, '--version'], cwd)) ?? '');
  if (version !== null && !isNeeded(version)) {
    throw new IndexerError(
      `docusaurus-plugin-pincite ${VERSION} needs pincite ${minorOf(VERSION)}, but ${command.join(' ')} (${origin}) is `
        + `${version}: run ${INSTALL}, or keep it and run npm install docusaurus-plugin-pincite@${minorOf(version)}.`,
    );
  }
}

/**
 * @param {string[]} command
 * @param {string} cwd
 * @returns {Promise<string | null>} What the command prints; null when it is not there or fails.
 */
async function printedBy([program, ...args], cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
  const printed = child.stdout ? text(child.stdout) : '';
  const [exitCode] = await once(child, 'close').catch(() => ['not there']);
  return exitCode === 0 ? printed : null;
}

/**
 * @param {string[]} interpreter
 * @param {string} origin
 * @returns {Candidate}
 */
function pythonModule(interpreter, origin) {
  const command = [...interpreter, '-m', 'pincite_indexer'];
  return { command, origin, probe: [...command, '--version'] };
}

/** @param {string | string[]} command */
function commandParts(command) {
  return Array.isArray(command) ? command : parseArgsStringToArgv(command);
}
