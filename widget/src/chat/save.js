import { sessionAsMarkdown } from '../core/export.js';
import { h } from '../dom.js';

/**
 * Hand a conversation to the reader as a Markdown file.
 * @param {import('../types.js').Session} session
 * @param {(citation: import('../types.js').Citation) => string | null} hrefOf
 * @param {import('../core/i18n.js').Translate} t
 */
export function saveSession(session, hrefOf, t) {
  const text = sessionText(session, hrefOf, t);
  const url = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
  h('a', { href: url, download: `${session.title.replace(/[^\p{L}\p{N}]+/gu, '-')}.md` }).click();
  URL.revokeObjectURL(url);
}

/**
 * @param {import('../types.js').Session} session
 * @param {(citation: import('../types.js').Citation) => string | null} hrefOf
 * @param {import('../core/i18n.js').Translate} t
 */
export function sessionText(session, hrefOf, t) {
  return sessionAsMarkdown(session, (citation) => hrefOf(citation) ?? '', t);
}
