/** The rules of the answering engine, as Python defines them (`pincite_core/rules.py`): by group and name, with compiled patterns. */

/** Set when a library opens; all files of a site have the same. @type {Record<string, Record<string, any>>} */
export let rules = {};

/** @type {Map<string, RegExp>} */
const compiled = new Map();

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

/** @param {string} source @param {string} [flags] */
export function regexp(source, flags = 'iu') {
  const key = `${flags}/${source}`;
  const pattern = compiled.get(key) ?? new RegExp(source, flags);
  compiled.set(key, pattern);
  return pattern;
}

/** A pattern for all matches in a text. @param {RegExp} pattern */
export const every = (pattern) => regexp(pattern.source, `${pattern.flags}g`);

/** The sum of numbers. @param {Iterable<number>} numbers */
export function sum(numbers) {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** @param {number} from @param {number} to */
export const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

/** @param {number} total */
export const logistic = (total) => 1 / (1 + Math.exp(-total));

/**
 * The result of a function for each key, computed once; a failed promise is forgotten.
 * @template K, V
 * @param {(key: K) => V} compute
 * @param {{get(key: K): V | undefined, set(key: K, value: V): unknown, delete(key: K): unknown}} [known]
 * @returns {(key: K) => V}
 */
export function remembered(compute, known = new Map()) {
  return (key) => {
    const found = known.get(key) ?? compute(key);
    known.set(key, found);
    if (found instanceof Promise) found.catch(() => known.delete(key));
    return found;
  };
}
