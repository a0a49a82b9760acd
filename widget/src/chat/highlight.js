import { css, sheet } from '../styles/css.js';

/** Names under which the page's passages are highlighted (CSS Custom Highlight API). */
export const CITED = 'pincite-cited';
const SELECTED = 'pincite-selected';

export const TARGET = 'data-pincite-target';

const selectionStyles = css`
  ::highlight(pincite-selected) { background-color: light-dark(#cfe0ff, #2b4478); color: light-dark(#1c1e21, #fff); }
  @media (forced-colors: active) {
    ::highlight(pincite-selected) { background-color: Mark; color: MarkText; }
  }
`;

/** @type {Set<string>} */
const installed = new Set();

/**
 * Passages live in the page, outside the shadow root, so their style must as well.
 * @param {string} styles
 */
export function installStyles(styles) {
  if (!installed.has(styles)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(styles)];
  installed.add(styles);
}

/**
 * @param {string} name
 * @param {Range | null} range
 * @returns {boolean} Whether the browser can highlight text.
 */
export function highlight(name, range) {
  if (!globalThis.CSS?.highlights) return false;
  if (range) CSS.highlights.set(name, new Highlight(range));
  else CSS.highlights.delete(name);
  return true;
}

/**
 * Keep the passage a question is about visible while its mode is on.
 * @param {Range | null} range  Null lets go of it.
 */
export function highlightSelection(range) {
  installStyles(selectionStyles);
  highlight(SELECTED, range);
}

/** Take the mark of a citation's place away again; what is there is found by its name, whoever put it there. */
export function clearCitation() {
  highlight(CITED, null);
  document.querySelector(`[${TARGET}]`)?.removeAttribute(TARGET);
}
