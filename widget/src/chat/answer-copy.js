/** What copying an answer takes along; loaded when one is copied. */
import { nameOf } from '../core/citations.js';
import { h } from '../dom.js';

export { answerAsMarkdown } from '../core/export.js';

/**
 * An answer as HTML for the clipboard: its text with each marker a link, then what the numbers stand for.
 * @param {Element} body  The answer as it is shown; its links are absolute.
 * @param {import('../types.js').Citation[]} citations
 * @param {(citation: import('../types.js').Citation) => string | null} hrefOf
 * @returns {string}
 */
export function richAnswer(body, citations, hrefOf) {
  const copy = /** @type {Element} */ (body.cloneNode(true));
  for (const part of copy.querySelectorAll('button')) part.remove();
  for (const coloured of copy.querySelectorAll('[style]')) coloured.removeAttribute('style'); // Colours of this page, for its ground.
  for (const chip of copy.querySelectorAll('.cite')) chip.textContent = `[${chip.textContent}]`;
  const sources = citations.map((citation) => h('p', {}, citation.n ? `[${citation.n}] ` : '',
    h('a', { href: hrefOf(citation) }, nameOf(citation))));
  return new XMLSerializer().serializeToString(h('div', {}, ...copy.childNodes, ...sources));
}
