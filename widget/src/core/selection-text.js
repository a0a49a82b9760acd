/** Shorter passages lack context for a meaningful answer (dual-mode retrieval pattern). */
const MIN_SELECTION_CHARACTERS = 50;

/** @param {string} text */
export function isLongEnough(text) {
  return [...text.trim()].length >= MIN_SELECTION_CHARACTERS;
}

/**
 * Return a selection's text without the zero-width text of heading links.
 * @param {string} text  `Selection.toString()`, which keeps line breaks and table tabs.
 */
export function cleanSelectionText(text) {
  return text.replace(/[\u200B\u2060\uFEFF]/gu, '').replace(/\n{3,}/gu, '\n\n').trim();
}
