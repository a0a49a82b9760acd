/**
 * Which indexers this plugin works with: those of its own minor version, because both are released together and the
 * manifest that one writes and the other reads may change with any of these.
 */
import { createRequire } from 'node:module';

/** Of this package, such as `1.2.3`. @type {string} */
export const VERSION = createRequire(import.meta.url)('../package.json').version;

/** What pip calls all versions of the indexer that will do. */
export const NEEDED = `~=${minorOf(VERSION)}.0`;

/** What a version looks like in what `pincite --version` prints. */
const PRINTED = /\bversion (\d+\.\d+\S*)/;

/**
 * @param {string} printed What `pincite --version` printed.
 * @returns {string | null} The version; null when nothing like one was printed.
 */
export function versionIn(printed) {
  return PRINTED.exec(printed)?.[1] ?? null;
}

/**
 * Whether an indexer of this version reads this plugin's manifest and takes its arguments.
 *
 * @param {string} version
 */
export function isNeeded(version) {
  return minorOf(version) === minorOf(VERSION);
}

/**
 * The part of a version within which plugin and indexer go together.
 *
 * @param {string} version
 */
export function minorOf(version) {
  return version.split('.', 2).join('.');
}
