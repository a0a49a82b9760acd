/** Highlights text of the page (CSS Custom Highlight API). */
import { css, sheet } from '../styles/css.js';

/** Names of the page's highlights. */
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

/** Add styles to the page, for text outside the shadow root. @param {string} styles */
export function installStyles(styles) {
  if (!installed.has(styles)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(styles)];
  installed.add(styles);
}

/** Highlight the passage that a question is about. @param {Range | null} range  Null removes the highlight. */
export function highlightSelection(range) {
  installStyles(selectionStyles);
  if (range) globalThis.CSS?.highlights?.set(SELECTED, new Highlight(range));
  else globalThis.CSS?.highlights?.delete(SELECTED);
}

/** Remove the highlight of a citation's target. */
export function clearCitation() {
  globalThis.CSS?.highlights?.delete(CITED);
  document.querySelector(`[${TARGET}]`)?.removeAttribute(TARGET);
}
