import { css } from './css.js';

/** The list of conversations, on top of the chat's styles. */
export const historyStyles = css`
  .sessions { display: grid; gap: 2px; list-style: none; }
  .session { display: flex; align-items: center; border-radius: 10px; }
  .session:hover { background: var(--faint); }
  .session-open { flex: 1; min-width: 0; padding: 8px 10px; border: 0; border-inline-start: 3px solid transparent; text-align: start; background: none; }
  .session-open[aria-current] { border-color: var(--accent); }
  .session-title { display: block; font-size: 14px; font-weight: 600; line-height: 1.4; overflow-wrap: anywhere; }
  .history-footer { display: flex; align-items: center; justify-content: space-between; gap: 12px; margin-block-start: 16px; font-size: 12px; color: var(--muted); }
  .history-footer .text-button { flex: none; color: var(--text); }
  .empty-history { color: var(--muted); }
  @media (forced-colors: active) {
    .session-open { border-color: Canvas; } /* Transparent borders would show. */
    .session-open[aria-current] { border-color: Highlight; }
  }
`;
