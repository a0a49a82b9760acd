import { CITED, clearCitation, installStyles, TARGET } from '../chat/highlight.js';
import { css } from '../styles/css.js';

const citedStyles = css`
  ::highlight(pincite-cited) { background-color: light-dark(#ffe58a, #6b5410); color: light-dark(#1c1e21, #fff); }
  [data-pincite-target=passage]:focus { outline: none; }
  [data-pincite-target=element] { outline: 2px solid light-dark(#b07d00, #ffd75e); outline-offset: 4px; border-radius: 3px; }
  @media (forced-colors: active) {
    ::highlight(pincite-cited) { background-color: Mark; color: MarkText; }
    [data-pincite-target=element] { outline-color: Highlight; }
  }
`;

/**
 * Mark where a citation landed: the cited words where they can be found, else the element. The mark stays until the
 * reader clicks somewhere.
 * @param {Element} target
 * @param {import('./passage.js').Passage | null} passage
 */
export function highlightCitation(target, passage) {
  clearCitation();
  installStyles(citedStyles);
  const found = passage !== null && !!globalThis.CSS?.highlights;
  if (found) CSS.highlights.set(CITED, new Highlight(...passage.ranges));
  target.setAttribute(TARGET, found ? 'passage' : 'element');
  document.addEventListener('pointerdown', clearCitation, { once: true });
}
