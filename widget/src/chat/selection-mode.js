import { checkSelection, selectionForRequest } from '../core/selection-rules.js';
import { highlightSelection } from './highlight.js';

/**
 * @typedef {import('../types.js').CapturedSelection} CapturedSelection
 * @typedef {import('../types.js').Notice} Notice
 */

/**
 * Which mode is on, and the passage it is about.
 * @param {object} options
 * @param {import('./composer.js').Composer} options.composer
 * @param {import('./room.js').Room} options.room
 * @param {() => CapturedSelection | null} options.last  What the reader highlighted last, if anything.
 * @param {import('../core/i18n.js').Translate} options.t
 */
export function createSelectionMode({ composer, room, last, t }) {
  /** @type {CapturedSelection | null} */
  let selection = null;

  /** @param {CapturedSelection | null} passage  Null: the whole site. */
  function set(passage) {
    if (selection) room.takeBack();
    selection = passage;
    composer.setMode(passage ? 'selection' : 'corpus', passage?.text ?? null);
    offer();
    highlightSelection(passage?.range ?? null);
    if (passage) room.forSelection(passage.range);
  }

  const offer = () => composer.offerModes(!!(selection ?? last()));

  return {
    set,
    offer,
    /** @param {CapturedSelection} passage */
    accepts: (passage) => verdictOn(passage) === 'ok',

    /** @returns {boolean} Whether a passage was let go because the reader left its page. */
    leavePage() {
      if (!selection || selection.page_url === location.pathname) return false;
      set(null);
      return true;
    },

    /**
     * What a question asked now is about. A passage that may not be used falls back to the whole site, and says so.
     * @returns {{mode: import('../types.js').Mode, selection?: import('../types.js').Selection, notices: Notice[]}}
     */
    scopeOfQuestion() {
      if (!selection) return { mode: 'corpus', notices: [] };
      const verdict = verdictOn(selection);
      if (verdict !== 'ok') {
        set(null);
        return { mode: 'corpus', notices: [{ code: verdict, message: t(`notice_${verdict}`) }] };
      }
      const cut = selectionForRequest(selection);
      const notices = cut.truncated ? [{ code: 'selection_truncated', message: t('notice_truncated') }] : [];
      return { mode: 'selection', selection: cut.selection, notices };
    },
  };
}

/** @typedef {ReturnType<typeof createSelectionMode>} SelectionMode */

/** @param {CapturedSelection} passage */
function verdictOn(passage) {
  return checkSelection(passage, { pageUrl: location.pathname, now: Date.now() });
}
