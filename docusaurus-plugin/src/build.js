/** The end of a build: writes the index of one locale beside its pages. */
import { join } from 'node:path';
import { logger } from '@docusaurus/logger';
import { findIndexer, IndexerError, indexerCandidates } from './indexer.js';
import { indexArguments, runIndexer } from './indexing.js';
import { buildManifest } from './manifest.js';
import { PINCITE_FOLDER, provideWidget } from './widget.js';

/**
 * @import {PluginOptions} from './index.js'
 * @import {IndexResult} from './indexing.js'
 * @import {PostBuildProps} from './manifest.js'
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

/** Set to 1 to build the site without an index, on machines that have no Python. */
const SKIP_VARIABLE = 'PINCITE_SKIP';

/** Host names that a sidecar accepts without `--host-name`. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const BYTES_PER_MEGABYTE = 1_000_000;

/** Names before "and 3 more". */
const MAX_NAMES = 5;

/**
 * Index the built site, and copy the widget's files if the indexer has not.
 * @param {PostBuildProps} props
 * @param {PluginOptions} options
 * @param {string} buildId
 * @throws {Error} If indexing fails and the option `onIndexError` is `throw`.
 */
export async function finishBuild(props, options, buildId) {
  if (options.index && !process.env[SKIP_VARIABLE]) {
    try {
      await indexSite(props, options, buildId);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (options.onIndexError === 'throw') {
        const message = `Pincite could not index the site: ${reason}`;
        throw error instanceof IndexerError ? new IndexerError(message) : new Error(message, { cause: error });
      }
      const message = `Pincite could not index the site, so this build has no new index: ${reason}`;
      ({ ignore: () => {}, log: logger.info, warn: logger.warn })[options.onIndexError](message);
    }
  }
  await provideWidget(props.outDir);
}

/** @param {PostBuildProps} props @param {PluginOptions} options @param {string} buildId */
async function indexSite(props, options, buildId) {
  const { siteDir, outDir } = props;
  const { command, origin } = await findIndexer(indexerCandidates(options, process.env, process.platform), siteDir);
  logger.info`Indexing with code=${command.join(' ')} (${origin}).`;
  const manifest = buildManifest(props, { buildId, include: options.include, exclude: options.exclude });
  const args = indexArguments(outDir, options, previousIndex(props, options.previous));
  const result = await runIndexer(command, args, {
    manifest,
    cwd: siteDir,
    onProgress: (line) => line.trim() && logger.info(line),
  });
  const lines = reportLines(result).map((line) => `\n  ${line}`);
  logger.success(logger.interpolate`Pincite's index is in path=${join(outDir, PINCITE_FOLDER)}.` + lines.join(''));
  reportWarnings(result).forEach((sentence) => logger.warn(sentence));
  const { api } = options;
  const serving = api && serveCommand(props, api);
  if (serving) {
    logger.info`The sidecar at url=${api} must accept questions from this site's pages. Start it with code=${serving}.`;
  }
}

/**
 * Return the command that starts a sidecar of another origin, which must allow the site's origin (CORS).
 * @param {Pick<PostBuildProps, 'siteConfig' | 'baseUrl' | 'i18n'>} props
 * @param {string} api
 * @returns {string | null} Null if the origin is the site's own. Only the default locale returns it, so that it is printed once.
 */
function serveCommand({ siteConfig, baseUrl, i18n }, api) {
  const site = new URL(siteConfig.url);
  const sidecar = new URL(api, site);
  if (sidecar.origin === site.origin || i18n.currentLocale !== i18n.defaultLocale) {
    return null;
  }
  const name = LOCAL_HOSTS.includes(sidecar.hostname) ? '' : ` --host-name ${sidecar.hostname}`;
  return `pincite serve ${site.origin}${baseUrl}${PINCITE_FOLDER}/ --cors-origin ${site.origin}${name}`;
}

/**
 * Return the location of the last deployed index of this locale.
 * @param {Pick<PostBuildProps, 'siteConfig' | 'baseUrl' | 'i18n'>} props
 * @param {PluginOptions['previous']} previous
 */
function previousIndex({ siteConfig, baseUrl, i18n }, previous) {
  if (previous === true) {
    return `${siteConfig.url}${baseUrl}${PINCITE_FOLDER}/`;
  }
  return previous ? previous.replaceAll('{locale}', i18n.currentLocale) : undefined;
}

/** @param {IndexResult} result @returns {string[]} One line for each subject with data. */
function reportLines({ report = {}, size }) {
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
function reportWarnings({ report = {} }) {
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
