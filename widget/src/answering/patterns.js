/** Patterns that come out of Python as data, each made once. */

/** Of which all matches are wanted. */
const ALL = new Set(['fence', 'stack_line', 'code']);

/** @type {Map<string, RegExp>} */
const made = new Map();

/**
 * @param {import('./types.js').AnswersTables} tables
 * @param {string} name
 */
export function patternOf({ patterns }, name) {
  const [source, flags] = patterns[name];
  const key = `${flags}/${source}`;
  const pattern = made.get(key) ?? new RegExp(source, ALL.has(name) ? `g${flags}` : flags);
  made.set(key, pattern);
  return pattern;
}
