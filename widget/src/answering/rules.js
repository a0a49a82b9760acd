import { remembered } from '../search/files.js';
import { sum } from '../search/numbers.js';
/** @import {Calibration, Signals} from './types.js' */

/** The rules of the answering engine, as Python defines them (`pincite_core/rules.py`): by group and name, with compiled patterns. */

/** Set when a library opens; all files of a site have the same. @type {Record<string, Record<string, any>>} */
export let rules = {};

/** @param {object} json  `rules` of the facts. */
export function setRules(json) {
  rules = /** @type {typeof rules} */ (read(json));
}

/** @param {any} value @returns {unknown} */
function read(value) {
  if (Array.isArray(value)) return value.map(read);
  if (value === null || typeof value !== 'object') return value;
  if ('pattern' in value && 'flags' in value) return regexp(value.pattern, value.flags);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, read(one)]));
}

/** The patterns that are compiled, by their flags. */
const compiled = remembered((/** @type {string} */ flags) => remembered((/** @type {string} */ source) => new RegExp(source, flags)));

/** @param {string} source @param {string} [flags] */
export const regexp = (source, flags = 'iu') => compiled(flags)(source);

/** A pattern for all matches in a text. @param {RegExp} pattern */
export const every = (pattern) => regexp(pattern.source, `${pattern.flags}g`);

/** The probability by a logistic regression on signals; a missing one is 0. @param {Signals} signals @param {Calibration} calibration */
export function probability(signals, { bias, ...weights }) {
  return 1 / (1 + Math.exp(-bias - sum(Object.entries(weights).map(([name, weight]) => weight * (signals[name] ?? 0)))));
}
