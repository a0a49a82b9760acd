import { nameOf } from './citations.js';

/**
 * A conversation as Markdown a reader can keep.
 * @param {import('../types.js').Session} session
 * @param {(citation: import('../types.js').Citation) => string} hrefOf  The absolute URL of a citation, or ''.
 * @returns {string}
 */
export function sessionAsMarkdown(session, hrefOf) {
  const turns = session.turns.map((turn) => turnAsMarkdown(turn, hrefOf));
  return [`# ${session.title}`, ...turns].join('\n\n') + '\n';
}

/**
 * @param {import('../types.js').Turn} turn
 * @param {(citation: import('../types.js').Citation) => string} hrefOf
 */
function turnAsMarkdown(turn, hrefOf) {
  const citations = turn.refusal?.nearest ?? turn.citations;
  const sources = citations.map((citation) => {
    const href = hrefOf(citation);
    const name = nameOf(citation);
    const label = href ? `[${name}](${href})` : name;
    return citation.n ? `${citation.n}. ${label}` : `- ${label}`;
  });
  const body = turn.refusal?.message ?? turn.answer;
  return [`## ${turn.query}`, body, sources.join('\n')].filter(Boolean).join('\n\n');
}
