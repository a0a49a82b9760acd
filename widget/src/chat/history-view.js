import { h, icon } from '../dom.js';
import { copyButton } from './clipboard.js';
import { SAVE, TRASH } from './icons.js';

/**
 * The list of conversations, newest first.
 * @param {import('../types.js').Session[]} sessions
 * @param {object} context
 * @param {import('../core/i18n.js').Translate} context.t
 * @param {string} context.language
 * @param {string | null} context.currentId
 * @param {(id: string) => void} context.onResume
 * @param {(id: string, question: string) => void} context.onRemove  `question`: what to confirm.
 * @param {(session: import('../types.js').Session) => void} context.onExport
 * @param {(session: import('../types.js').Session) => string} context.textOf  What copying takes along.
 * @param {(message: string) => void} context.announce
 * @param {string} context.note  How the conversations are kept.
 * @param {() => void} context.onClear
 * @returns {Node[]}
 */
export function historyView(sessions, context) {
  const { t, note, onClear } = context;
  if (sessions.length === 0) return [h('p', { class: 'empty-history' }, t('historyEmpty'))];
  const status = h('p', { role: 'status' }, note);
  const onFailure = (/** @type {import('../core/i18n.js').StringKey} */ why) => { status.textContent = t(why); };
  return [
    h('ul', { class: 'sessions' }, ...sessions.map((session) => sessionView(session, { ...context, onFailure }))),
    h('div', { class: 'history-footer' }, status,
      h('button', { type: 'button', class: 'text-button', onclick: onClear }, t('clearAll'))),
  ];
}

/**
 * @param {import('../types.js').Session} session
 * @param {Parameters<typeof historyView>[1] & {onFailure: (why: import('../core/i18n.js').StringKey) => void}} context
 */
function sessionView(session, { t, language, currentId, onResume, onRemove, onExport, textOf, announce, onFailure }) {
  const { id, title } = session;
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(session.updated_at);
  return h('li', { class: 'session' },
    h('button', { type: 'button', class: 'session-open', 'aria-current': id === currentId && 'true', onclick: () => onResume(id) },
      h('span', { class: 'session-title' }, h('bdi', {}, title)), h('span', { class: 'trail' }, when)),
    copyButton({ label: t('copyConversation', { title }), confirmation: t('copied'), text: () => textOf(session), announce, onFailure }),
    h('button', { type: 'button', class: 'icon-button', 'aria-label': t('exportOne', { title }), title: t('export'),
      onclick: () => onExport(session) }, icon(SAVE)),
    h('button', { type: 'button', class: 'icon-button', 'aria-label': t('deleteOne', { title }), onclick: () => onRemove(id, t('deleteOne', { title })) },
      icon(TRASH)));
}
