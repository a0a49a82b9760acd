import { css, sheet } from '../styles/css.js';

/** Names under which the page's passages are highlighted (CSS Custom Highlight API). */
const CITED = 'pincite-cited';
const SELECTED = 'pincite-selected';

const TARGET = 'data-pincite-target';

const highlightStyles = css`
  ::highlight(pincite-cited) { background-color: light-dark(#ffe58a, #6b5410); color: light-dark(#1c1e21, #fff); }
  ::highlight(pincite-selected) { background-color: light-dark(#cfe0ff, #2b4478); color: light-dark(#1c1e21, #fff); }
  [data-pincite-target=passage]:focus { outline: none; }
  [data-pincite-target=element] { outline: 2px solid light-dark(#b07d00, #ffd75e); outline-offset: 4px; border-radius: 3px; }
  @media (forced-colors: active) {
    ::highlight(pincite-cited), ::highlight(pincite-selected) { background-color: Mark; color: MarkText; }
    [data-pincite-target=element] { outline-color: Highlight; }
  }
`;

let installed = false;

/** Passages live in the page, outside the shadow root, so their style must as well. */
function installStyles() {
  if (!installed) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(highlightStyles)];
  installed = true;
}

/**
 * @param {string} name
 * @param {Range | null} range
 * @returns {boolean} Whether the browser can highlight text.
 */
function highlight(name, range) {
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
  installStyles();
  highlight(SELECTED, range);
}

/**
 * Mark where a citation landed: the cited words where they can be found, else the element. The mark stays until the
 * reader clicks somewhere.
 * @param {Element} target
 * @param {Range | null} passage
 */
export function highlightCitation(target, passage) {
  clearCitation();
  installStyles();
  const found = passage !== null && highlight(CITED, passage);
  target.setAttribute(TARGET, found ? 'passage' : 'element');
  document.addEventListener('pointerdown', clearCitation, { once: true });
}

export function clearCitation() {
  highlight(CITED, null);
  document.querySelector(`[${TARGET}]`)?.removeAttribute(TARGET);
}
