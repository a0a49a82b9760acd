import { css } from './css.js';

/** The search's styles, in addition to the chat's. */
export const searchStyles = css`
  .search-top { position: sticky; inset-block-start: -18px; z-index: 1; margin: -18px -18px 0; padding: 6px 18px 10px; background: linear-gradient(var(--surface), var(--surface)) var(--base); }
  .search-top .field { align-items: center; padding-inline-start: 12px; }
  .search-top svg { color: var(--muted); }
  .found { display: grid; gap: 2px; }
  .found-page { margin-block: 10px 2px; padding-inline: 10px; font-size: 12px; font-weight: 650; color: var(--muted); overflow-wrap: anywhere; }
  .option { display: block; padding: 7px 10px; border-inline-start: 3px solid transparent; border-radius: 8px; color: inherit; line-height: 1.4; text-decoration: none; overflow-wrap: anywhere; cursor: pointer; }
  .option:hover { background: var(--faint); }
  .option[aria-selected=true] { border-color: var(--accent); background: var(--tint); }
  .found-title, .found-text, .option .trail { display: block; }
  .found-title { font-size: 14px; font-weight: 600; }
  .found-text { min-height: 18px; font-size: 13px; color: var(--muted); }
  .found mark { border-radius: 2px; font-weight: 650; color: inherit; background: none; text-decoration: underline; text-decoration-color: var(--accent); text-decoration-thickness: 2px; text-underline-offset: 2px; }
  .ask, .recent { display: flex; align-items: center; gap: 10px; font-size: 14px; }
  .ask { margin-block-start: 8px; font-weight: 600; }
  .ask svg, .recent svg { width: 16px; height: 16px; color: var(--accent); }
  .found-note { padding: 10px; font-size: 14px; color: var(--muted); }
  .found ~ .link-button { margin-block-start: 10px; padding-inline: 10px; }
  @media (forced-colors: active) {
    .option { border-color: Canvas; }
    .option[aria-selected=true] { border-color: Highlight; }
  }
`;
