/** Earlier conversations, loaded when the reader looks at them: most who open the chat do not. */
import { MAX_QUESTIONS } from '../core/history.js';
import english from '../strings/en/earlier.js';
import { adopt, sheet } from '../styles/css.js';
import { historyStyles } from '../styles/history.js';
import { historyView } from './history-view.js';
import { saveSession, sessionText } from './save.js';

export { refreshCitations } from './stale-citations.js';

const historySheet = sheet(historyStyles);

/**
 * What a reader is told before the oldest questions go.
 * @param {import('../core/i18n.js').Translate} t
 * @param {number} kept  Questions.
 */
export function nearlyFull(t, kept) {
  t.learn(english);
  return t('nearlyFull', { n: kept, most: MAX_QUESTIONS });
}

/**
 * The list of conversations with all that can be done to them.
 * @param {object} options
 * @param {import('../core/i18n.js').Translate} options.t
 * @param {import('../types.js').ChatEnvironment} options.environment
 * @param {ReturnType<typeof import('../core/history.js').createHistory>} options.history
 * @param {(citation: import('../types.js').Citation) => string | null} options.hrefOf
 * @param {(message: string) => void} options.announce
 * @param {string | null} options.currentId  The conversation on screen.
 * @param {(id: string) => void} options.onResume
 * @param {(id: string | null) => void} options.onRemoved
 * @returns {Node[]}
 */
export function earlierView({ t, environment: { root, language }, history, hrefOf, announce, currentId, onResume, onRemoved }) {
  adopt(root, historySheet);
  t.learn(english);

  /**
   * Delete, once the reader has confirmed it: nothing brings a conversation back.
   * @param {string} question
   * @param {() => void} remove
   * @param {string | null} id
   */
  function removeIfConfirmed(question, remove, id) {
    if (!confirm(question)) return;
    remove();
    onRemoved(id);
  }

  return historyView(history.sessions(), {
    t,
    language,
    currentId,
    note: t(history.health() === 'unavailable' ? 'storage_unavailable' : 'historyNote'),
    announce,
    onResume,
    onRemove: (id, question) => removeIfConfirmed(question, () => history.remove(id), id),
    onExport: (session) => saveSession(session, hrefOf, t),
    textOf: (session) => sessionText(session, hrefOf, t),
    onClear: () => removeIfConfirmed(t('clearAll'), history.clear, currentId),
  });
}
