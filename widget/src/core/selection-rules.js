import { isLongEnough } from './selection-text.js';
import { truncateToTokens } from './tokens.js';

/** Older passages are rarely what the reader still means (dual-mode retrieval pattern). */
export const MAX_SELECTION_AGE_MS = 5 * 60 * 1000;

/** What the selection mode sends at most. */
export const MAX_SELECTION_TOKENS = 2000;

/**
 * Decide whether a passage may be asked about.
 * @param {import('../types.js').Selection | null} selection
 * @param {{pageUrl: string, now: number}} moment  The page the reader is on, and the time in milliseconds.
 * @returns {'ok' | 'none' | 'too_short' | 'page_changed' | 'too_old'}
 */
export function checkSelection(selection, { pageUrl, now }) {
  if (!selection) return 'none';
  if (selection.page_url !== pageUrl) return 'page_changed';
  if (now - Date.parse(selection.captured_at) > MAX_SELECTION_AGE_MS) return 'too_old';
  return isLongEnough(selection.text) ? 'ok' : 'too_short';
}

/**
 * The passage as it goes over the wire.
 * @param {import('../types.js').Selection} selection
 * @returns {{selection: import('../types.js').Selection, truncated: boolean}}
 */
export function selectionForRequest({ text, page_url, captured_at }) {
  const cut = truncateToTokens(text, MAX_SELECTION_TOKENS);
  return { selection: { text: cut.text, page_url, captured_at }, truncated: cut.truncated };
}
