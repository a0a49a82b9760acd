/** Which mode is on (the whole site or a selection), and the rules for a selection. */
import { isLongEnough } from '../core/selection-text.js';
import { truncateToTokens } from '../core/tokens.js';
import { highlightSelection } from './highlight.js';

/** @import {CapturedSelection, Mode, Notice, Selection} from '../types.js' */

/** Readers rarely mean older passages (dual-mode retrieval pattern). */
export const MAX_SELECTION_AGE_MS = 5 * 60 * 1000;

/** The limit for a selection in a request. */
const MAX_SELECTION_TOKENS = 2000;

/**
 * @param {object} options
 * @param {import('./composer.js').Composer} options.composer
 * @param {import('./panel-layout.js').PanelLayout} options.layout
 * @param {() => CapturedSelection | null} options.last  Returns the reader's last selection on the page.
 * @param {import('../core/i18n.js').Translate} options.t
 */
export function createSelectionMode({ composer, layout, last, t }) {
  /** @type {CapturedSelection | null} */
  let selection = null;

  const here = () => ({ pageUrl: location.pathname, now: Date.now() });

  /** @param {CapturedSelection | null} passage  Null selects the whole site. */
  function set(passage) {
    if (selection) layout.restore();
    selection = passage;
    composer.setMode(passage ? 'selection' : 'corpus', passage?.text ?? null);
    offer();
    highlightSelection(passage?.range ?? null);
    if (passage) layout.uncoverSelection(passage.range);
  }

  const offer = () => composer.offerModes(!!(selection ?? last()));

  return {
    set,
    offer,
    /** @param {CapturedSelection} passage */
    accepts: (passage) => checkSelection(passage, here()) === 'ok',

    /** @returns {boolean} Whether a selection was dropped because the reader left its page. */
    leavePage() {
      if (!selection || selection.page_url === location.pathname) return false;
      set(null);
      return true;
    },

    /**
     * Return the mode and the selection of a question. An unusable selection falls back to the whole site, with a notice.
     * @returns {{mode: Mode, selection?: Selection, notices: Notice[]}}
     */
    scopeOfQuestion() {
      if (!selection) return { mode: 'corpus', notices: [] };
      const verdict = checkSelection(selection, here());
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

/**
 * Check whether the reader can ask about a selection.
 * @param {Selection} selection
 * @param {{pageUrl: string, now: number}} here  The reader's page, and the time in milliseconds.
 */
export function checkSelection(selection, { pageUrl, now }) {
  if (selection.page_url !== pageUrl) return 'page_changed';
  if (now - Date.parse(selection.captured_at) > MAX_SELECTION_AGE_MS) return 'too_old';
  return isLongEnough(selection.text) ? 'ok' : 'too_short';
}

/** Return the selection in the format of a request. @param {Selection} selection */
export function selectionForRequest({ text, page_url, captured_at }) {
  const cut = truncateToTokens(text, MAX_SELECTION_TOKENS);
  return { selection: { text: cut.text, page_url, captured_at }, truncated: cut.truncated };
}
