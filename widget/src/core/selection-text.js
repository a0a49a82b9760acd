/** Shorter passages lack the context for a meaningful answer (dual-mode retrieval pattern). */
const MIN_SELECTION_CHARACTERS = 50;

/** @param {string} text */
export function isLongEnough(text) {
  return [...text.trim()].length >= MIN_SELECTION_CHARACTERS;
}

/**
 * A selection's text without what sites add for sighted mouse users (the zero-width text of heading links).
 * @param {string} text  `Selection.toString()`, which keeps line breaks and table tabs.
 * @returns {string}
 */
export function cleanSelectionText(text) {
  return text.replace(/[\u200B\u2060\uFEFF]/gu, '').replace(/\n{3,}/gu, '\n\n').trim();
}
