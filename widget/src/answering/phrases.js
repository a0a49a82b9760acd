/**
 * Forms of questions, by the tables of the sidecar (`browser_bundle/phrases.py`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').Phrases} Phrases
 * @typedef {import('./types.js').Requests} Requests
 * @typedef {{opens?: string, has?: string, ends?: string}} Forms
 */

/** @type {Map<string, RegExp>} */
const made = new Map();

/**
 * @param {string} source
 * @param {string} [flags]
 */
export function regexp(source, flags = 'iu') {
  const key = `${flags}/${source}`;
  const pattern = made.get(key) ?? new RegExp(source, flags);
  made.set(key, pattern);
  return pattern;
}

/**
 * Whether a text has any of some forms; never, when a language has none.
 * @param {Forms | undefined} forms
 * @param {string} text
 */
export function foundIn(forms, text) {
  return Object.values(forms ?? {}).some((source) => regexp(source).test(text));
}

/**
 * A text with a blank for each of the forms that may stand anywhere.
 * @param {Forms | undefined} forms
 * @param {string} text
 */
export function removedFrom(forms, text) {
  return forms?.has ? text.replace(regexp(forms.has, 'giu'), ' ') : text;
}

/**
 * The table of a language, nothing where there is none.
 * @param {Library} library
 * @param {string} language
 * @returns {Promise<Phrases>}
 */
export async function phrasesOf({ load, facts: { phrases } }, language) {
  return phrases[language] ? load(phrases[language]) : {};
}

/** @param {Library} library @returns {Promise<Requests>} */
export function requestsOf({ load, facts: { phrases } }) {
  return load(phrases['']);
}
