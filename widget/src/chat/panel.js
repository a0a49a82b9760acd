import { h, icon } from '../dom.js';
import { BACK, CLOCK, CLOSE, PLUS, SEARCH } from './icons.js';

/** @typedef {{onClose: () => void, onNew: () => void, onHistory: () => void, onSearch: false | (() => void)}} Actions */

/** In smaller windows the panel is modal and covers the whole page. */
const SHEET = '(max-width: 640px), (max-height: 440px)';

/** A reader within this distance of the end follows the growing answer, in pixels. */
const FOLLOW_DISTANCE = 48;

/** Space above a question at the top, in pixels. It equals the padding of the conversation, so the first question stays. */
const TURN_MARGIN = 18;

/**
 * Create the dialog: header, conversation, list of conversations, composer.
 * @param {{t: import('../core/i18n.js').Translate, site: string, composer: HTMLElement, actions: Actions}} options
 */
export function createPanel({ t, site, composer, actions }) {
  const button = (/** @type {string} */ label, /** @type {string} */ path, /** @type {() => void} */ onclick) => (
    h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick }, icon(path)));
  const scope = h('p', { class: 'scope', part: 'scope' });
  const historyButton = button(t('history'), CLOCK, actions.onHistory);
  const back = button(t('back'), BACK, () => showHistory(null));
  const title = h('h2', { id: 'title', dir: 'auto' }, t('title', { site }));
  const header = h('header', { class: 'header', part: 'header' }, back, h('div', { class: 'titles' }, title, scope),
    button(t('newChat'), PLUS, actions.onNew), historyButton, actions.onSearch && button(t('search'), SEARCH, actions.onSearch), button(t('close'), CLOSE, actions.onClose));
  const log = h('div', { class: 'log', part: 'log', role: 'log', 'aria-live': 'off', 'aria-label': t('title', { site }), tabindex: '0' });
  const history = h('div', { class: 'history', part: 'history', role: 'region', 'aria-labelledby': 'title', hidden: true });
  const status = h('p', { class: 'visually-hidden', role: 'status' });
  const dialog = h('dialog', { class: 'panel', part: 'panel', 'aria-labelledby': 'title' },
    header, log, history, composer, status);
  back.hidden = true;
  dialog.addEventListener('cancel', (event) => { // Escape in the modal dialog.
    event.preventDefault();
    actions.onClose();
  });
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) actions.onClose();
  });

  /**
   * @param {Node[] | null} content  Null shows the conversation again.
   * @param {string} [name]  The title of other content, such as the search.
   */
  function showHistory(content, name = t('history')) {
    const shown = content !== null;
    const changed = history.hidden === shown;
    history.replaceChildren(...(content ?? []));
    history.hidden = back.hidden = !shown;
    title.textContent = shown ? name : t('title', { site });
    log.hidden = composer.hidden = historyButton.hidden = shown;
    if (changed) (shown ? back : historyButton).focus();
  }

  return {
    element: dialog,
    log,
    isSheet: () => matchMedia(SHEET).matches,
    isHistoryShown: () => title.textContent === t('history'),
    showHistory,
    /** Move the focus to the list after its focused element was removed. */
    focusHistory: () => /** @type {HTMLElement} */ (history.querySelector('button') ?? back).focus(),
    open() {
      if (dialog.open) return;
      if (matchMedia(SHEET).matches) dialog.showModal();
      else dialog.show();
    },
    close: () => dialog.close(),
    /** @param {string} text */
    setScope(text) {
      scope.textContent = text;
    },
    /** @param {string} message */
    announce(message) {
      status.textContent = message;
    },
    /**
     * Change the conversation. A reader at its end stays there, and the question stays visible.
     * @param {() => void} change
     * @param {HTMLElement} turn  The turn that changes.
     * @param {boolean} [jump]  Scroll there from anywhere.
     */
    follow(change, turn, jump = false) {
      const following = log.scrollHeight - log.scrollTop - log.clientHeight < FOLLOW_DISTANCE;
      change();
      if (following || jump) log.scrollTop = Math.min(log.scrollHeight - log.clientHeight, turn.offsetTop - TURN_MARGIN);
    },
  };
}

/** @typedef {ReturnType<typeof createPanel>} Panel */
