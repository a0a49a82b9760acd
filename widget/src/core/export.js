import { groupSources, nameOf, typeLabel } from './citations.js';

/**
 * @typedef {import('../types.js').Citation} Citation
 * @typedef {import('./i18n.js').Translate} Translate
 * @typedef {(citation: Citation) => string} HrefOf
 */

/**
 * A conversation as Markdown a reader can keep.
 * @param {import('../types.js').Session} session
 * @param {HrefOf} hrefOf  The absolute URL of a citation, or ''.
 * @param {Translate} t
 * @returns {string}
 */
export function sessionAsMarkdown(session, hrefOf, t) {
  const turns = session.turns.map((turn) => turnAsMarkdown(turn, hrefOf, t));
  return [`# ${session.title}`, ...turns].join('\n\n') + '\n';
}

/**
 * @param {import('../types.js').Turn} turn
 * @param {HrefOf} hrefOf
 * @param {Translate} t
 */
function turnAsMarkdown(turn, hrefOf, t) {
  return `## ${turn.query}\n\n${answerAsMarkdown(turn, hrefOf, t)}`;
}

/**
 * An answer or a refusal with its sources as links.
 * @param {import('../types.js').Turn} turn
 * @param {HrefOf} hrefOf  The absolute URL of a citation, or ''.
 * @param {Translate} t
 */
export function answerAsMarkdown(turn, hrefOf, t) {
  const sources = turn.refusal ? listOf(turn.refusal.nearest, hrefOf) : groupedSources(turn.citations, hrefOf, t);
  const body = turn.refusal?.message ?? turn.answer;
  return [body, sources].filter(Boolean).join('\n\n');
}

/**
 * Sources under the name of their type, as the widget shows them; without names when there is one type alone.
 * @param {Citation[]} citations
 * @param {HrefOf} hrefOf
 * @param {Translate} t
 */
function groupedSources(citations, hrefOf, t) {
  const groups = groupSources(citations);
  return groups
    .map(({ type, citations: members }) => {
      const list = listOf(members, hrefOf);
      return groups.length > 1 ? `### ${typeLabel(type, t)}\n\n${list}` : list;
    })
    .join('\n\n');
}

/**
 * @param {Citation[] | undefined} citations
 * @param {HrefOf} hrefOf
 */
function listOf(citations = [], hrefOf) {
  const lines = citations.map((citation) => {
    const href = hrefOf(citation);
    const name = nameOf(citation);
    const label = href ? `[${name}](${href})` : name;
    return citation.n ? `${citation.n}. ${label}` : `- ${label}`;
  });
  return lines.join('\n');
}
