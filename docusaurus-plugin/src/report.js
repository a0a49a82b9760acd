/** The indexer's report, in the lines a maintainer reads at the end of a build. */

/**
 * @import {IndexResult} from './indexing.js'
 *
 * @typedef {Partial<{
 *   pages_by_kind: Record<string, number>,
 *   pages_by_scope: Record<string, number>,
 *   targets: number,
 *   chunks: number,
 *   ids: Record<string, number>,
 *   dead_fragments: number,
 *   left_out: Record<string, number>,
 *   vectors_embedded: number,
 *   vectors_reused: number,
 *   unreadable: string[],
 *   collided_pages: string[],
 *   seconds: Record<string, number>,
 * }>} IndexReport What the plugin shows of the report; a field may be missing, and others are passed over.
 */

const BYTES_PER_MEGABYTE = 1_000_000;

/** Names listed before "and 3 more". */
const NAMES_SHOWN = 5;

/**
 * @param {IndexResult} result
 * @returns {string[]} One line a subject; those with nothing to say are left out.
 */
export function reportLines({ report = {}, size }) {
  const seconds = Object.values(report.seconds ?? {}).reduce((sum, each) => sum + each, 0);
  const lines = [
    ['Pages', counted(report.pages_by_kind)],
    ['Scopes', counted(report.pages_by_scope)],
    ['Targets', report.targets && `${number(report.targets)} (IDs: ${counted(report.ids)})`],
    ['Chunks', report.chunks && number(report.chunks)],
    ['Vectors', counted({ embedded: report.vectors_embedded ?? 0, reused: report.vectors_reused ?? 0 })],
    ['Left out', counted(report.left_out)],
    ['Took', seconds && `${seconds.toFixed(1)} s`],
    ['Size', size && `${(size / BYTES_PER_MEGABYTE).toFixed(1)} MB`],
  ];
  return lines.flatMap(([name, text]) => (text ? [`${name}: ${text}`] : []));
}

/**
 * @param {IndexResult} result
 * @returns {string[]} One sentence for each thing the maintainer should look at.
 */
export function reportWarnings({ report = {} }) {
  const { unreadable = [], collided_pages: collided = [], dead_fragments: dead = 0 } = report;
  return [
    ...(unreadable.length > 0 ? [`Pages that could not be read: ${names(unreadable)}.`] : []),
    ...(collided.length > 0 ? [`Pages whose ID another page has, so that they got longer ones: ${names(collided)}.`] : []),
    ...(dead > 0 ? [`Links to an anchor that is not on its page: ${number(dead)}.`] : []),
  ];
}

/** @param {number} value */
function number(value) {
  return value.toLocaleString('en');
}

/** @param {Record<string, number>} [counts] @returns {string} Such as `56 guide, 12 api`, the most first. */
function counted(counts = {}) {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${number(count)} ${name}`)
    .join(', ');
}

/** @param {string[]} all */
function names(all) {
  const rest = all.length - NAMES_SHOWN;
  return all.slice(0, NAMES_SHOWN).join(', ') + (rest > 0 ? ` and ${number(rest)} more` : '');
}
