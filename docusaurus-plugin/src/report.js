/** The indexer's report in lines, for the end of a build. */

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
 * }>} IndexReport The fields that the plugin prints.
 */

const BYTES_PER_MEGABYTE = 1_000_000;

/** Names before "and 3 more". */
const MAX_NAMES = 5;

/** @param {IndexResult} result @returns {string[]} One line for each subject with data. */
export function reportLines({ report = {}, size }) {
  const seconds = Object.values(report.seconds ?? {}).reduce((sum, each) => sum + each, 0);
  const lines = [
    ['Pages', listCounts(report.pages_by_kind)],
    ['Scopes', listCounts(report.pages_by_scope)],
    ['Targets', report.targets && `${format(report.targets)} (IDs: ${listCounts(report.ids)})`],
    ['Chunks', report.chunks && format(report.chunks)],
    ['Vectors', listCounts({ embedded: report.vectors_embedded ?? 0, reused: report.vectors_reused ?? 0 })],
    ['Left out', listCounts(report.left_out)],
    ['Took', seconds && `${seconds.toFixed(1)} s`],
    ['Size', size && `${(size / BYTES_PER_MEGABYTE).toFixed(1)} MB`],
  ];
  return lines.flatMap(([name, text]) => (text ? [`${name}: ${text}`] : []));
}

/** @param {IndexResult} result @returns {string[]} One sentence for each problem of the site. */
export function reportWarnings({ report = {} }) {
  const { unreadable = [], collided_pages: collided = [], dead_fragments: dead = 0 } = report;
  return [
    ...(unreadable.length > 0 ? [`Pages that could not be read: ${listNames(unreadable)}.`] : []),
    ...(collided.length > 0 ? [`Pages with a longer ID, because another page has the same: ${listNames(collided)}.`] : []),
    ...(dead > 0 ? [`Links to an anchor that does not exist on its page: ${format(dead)}.`] : []),
  ];
}

/** @param {number} value */
function format(value) {
  return value.toLocaleString('en');
}

/** Return counts such as `56 guide, 12 api`, the largest first. @param {Record<string, number>} [counts] */
function listCounts(counts = {}) {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${format(count)} ${name}`)
    .join(', ');
}

/** @param {string[]} names */
function listNames(names) {
  const rest = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(', ') + (rest > 0 ? ` and ${format(rest)} more` : '');
}
