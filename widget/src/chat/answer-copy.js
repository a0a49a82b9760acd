/** Formats for copies of answers and conversations; loaded when the reader copies an answer. */
import { groupSources, nameOf, typeLabel } from '../core/citations.js';
import { h } from '../dom.js';

/**
 * @import {Citation, Session, Turn} from '../types.js'
 * @import {Translate} from '../core/i18n.js'
 * @typedef {(citation: Citation) => string | null} HrefOf  Returns the absolute URL of a citation.
 */

/** @param {Session} session @param {HrefOf} hrefOf @param {Translate} t */
export function sessionAsMarkdown({ title, turns }, hrefOf, t) {
  const parts = turns.map((turn) => `## ${turn.query}\n\n${answerAsMarkdown(turn, hrefOf, t)}`);
  return [`# ${title}`, ...parts].join('\n\n') + '\n';
}

/**
 * Return an answer or a refusal as Markdown. Its sources are links, grouped by type if there are several.
 * @param {Turn} turn
 * @param {HrefOf} hrefOf
 * @param {Translate} t
 */
export function answerAsMarkdown({ answer, citations, refusal }, hrefOf, t) {
  const groups = groupSources(citations);
  const sources = refusal
    ? markdownList(refusal.nearest ?? [], hrefOf)
    : groups.map((group) => {
      const heading = groups.length > 1 ? `### ${typeLabel(group.type, t)}\n\n` : '';
      return heading + markdownList(group.citations, hrefOf);
    }).join('\n\n');
  return [refusal?.message ?? answer, sources].filter(Boolean).join('\n\n');
}

/** @param {Citation[]} citations @param {HrefOf} hrefOf */
function markdownList(citations, hrefOf) {
  const lines = citations.map((citation) => {
    const href = hrefOf(citation);
    const name = nameOf(citation);
    const label = href ? `[${name}](${href})` : name;
    return citation.n ? `${citation.n}. ${label}` : `- ${label}`;
  });
  return lines.join('\n');
}

/**
 * Return an answer as HTML for the clipboard: its text with linked citation markers, then its sources.
 * @param {Element} body  The rendered answer; its links are absolute.
 * @param {Citation[]} citations
 * @param {HrefOf} hrefOf
 */
export function answerAsHtml(body, citations, hrefOf) {
  const copy = /** @type {Element} */ (body.cloneNode(true));
  for (const part of copy.querySelectorAll('button')) part.remove();
  for (const coloured of copy.querySelectorAll('[style]')) coloured.removeAttribute('style'); // The page's colours.
  for (const marker of copy.querySelectorAll('.cite')) marker.textContent = `[${marker.textContent}]`;
  const sources = citations.map((citation) => h('p', {}, citation.n ? `[${citation.n}] ` : '',
    h('a', { href: hrefOf(citation) }, nameOf(citation))));
  return new XMLSerializer().serializeToString(h('div', {}, ...copy.childNodes, ...sources));
}
