import { css } from './css.js';

/** The chat's styles. They use the launcher's custom properties. */
export const chatStyles = css`
  .panel, .panel * { box-sizing: border-box; }
  .panel {
    --line: color-mix(in oklab, var(--text) 14%, transparent);
    --faint: color-mix(in oklab, var(--text) 5%, transparent);
    --muted: color-mix(in oklab, var(--text) 70%, var(--base));
    --tint: color-mix(in oklab, var(--primary) 13%, transparent);
    --mono: var(--pincite-mono, var(--ifm-font-family-monospace, ui-monospace, SFMono-Regular, Menlo, Consolas, monospace));
    position: fixed;
    z-index: var(--layer);
    inset: auto;
    inset-block-end: max(16px, env(safe-area-inset-bottom));
    left: var(--left);
    right: var(--right);
    width: min(var(--pincite-width, 430px), max(430px, 60vw), calc(100vw - 32px));
    height: min(var(--pincite-height, 720px), calc(100dvh - 32px));
    max-width: none;
    max-height: none;
    margin: 0;
    padding: 0;
    overflow: hidden;
    flex-direction: column;
    border: 1px solid var(--line);
    border-radius: max(var(--radius), 12px);
    color: var(--text);
    background: linear-gradient(var(--surface), var(--surface)) var(--base);
    box-shadow: var(--shadow);
  }
  .panel[open] { display: flex; animation: rise .16s ease-out; }
  .panel.short { height: min(var(--pincite-height, 720px), max(var(--least, min(360px, 45dvh)), var(--room))); } /* Below a place that it would cover. */
  .panel.short:has(.selection:not([hidden])) { --least: min(420px, 60dvh); } /* The passage is shown above the question. */
  .panel.short .selection-text { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } /* The page shows it. */
  .panel:lang(ko) { word-break: keep-all; } /* Korean lines break only at blanks. */
  .panel::backdrop { background: transparent; }
  @keyframes rise { from { opacity: 0; transform: translateY(8px); } }
  .visually-hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  button, textarea, input { font: inherit; color: inherit; }
  h2, h3, h4, h5, h6, p, ul, ol, pre, blockquote { margin: 0; padding: 0; font-size: inherit; font-weight: inherit; }
  a { color: var(--accent); text-underline-offset: 2px; }

  .header { display: flex; align-items: center; gap: 2px; padding-block: 10px; padding-inline: 18px 10px; border-block-end: 1px solid var(--line); }
  .header > .icon-button:first-child { margin-inline-start: -10px; }
  .titles { flex: 1; min-width: 0; }
  h2 { font-size: 15px; font-weight: 650; line-height: 1.3; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .scope { font-size: 12px; line-height: 1.3; color: var(--muted); }
  .icon-button { display: inline-grid; place-items: center; flex: none; width: 32px; height: 32px; border: 0; border-radius: 8px; color: var(--muted); background: none; }
  .icon-button svg { width: 18px; height: 18px; }
  .icon-button:hover { color: var(--text); background: var(--faint); }
  .icon-button[aria-pressed=true] { color: var(--accent); background: var(--tint); }
  .text-button { padding: 5px 12px; border: 1px solid var(--line); border-radius: 8px; font-size: 13px; font-weight: 600; background: none; }
  .text-button:hover { background: var(--faint); }
  .link-button { padding: 2px 0; border: 0; font-size: 13px; color: var(--accent); background: none; text-decoration: underline; text-underline-offset: 2px; }

  .log, .history { position: relative; flex: 1; min-height: 0; padding: 18px; overflow: auto; overscroll-behavior: contain; scrollbar-width: thin; }
  .log:focus-visible, .history:focus-visible { outline-offset: -3px; }
  .turn + .turn { margin-block-start: 26px; }
  .turn + .turn:last-child { min-height: calc(100% + 1px); } /* The question is at the top from the start, so that nothing moves later. The pixel compensates rounding. */
  .question { width: fit-content; max-width: 88%; margin-inline-start: auto; padding: 8px 14px; border-radius: 14px; border-end-end-radius: 4px; background: var(--tint); white-space: pre-wrap; overflow-wrap: anywhere; }
  .answer { margin-block-start: 14px; }
  .badge { margin-block-end: 6px; font-size: 12px; color: var(--muted); }
  .notice { margin-block-end: 8px; padding: 6px 10px; border-inline-start: 3px solid var(--accent); border-radius: 4px; font-size: 13px; background: var(--faint); }
  .waiting { display: flex; align-items: center; gap: 10px; font-size: 14px; color: var(--muted); }
  .dots { width: 26px; height: 6px; background: radial-gradient(circle closest-side, currentColor 92%, transparent) 0 0 / 33.3% 100%; animation: wait 1.2s infinite linear; }
  @keyframes wait { 50% { opacity: .25; } }

  .prose { overflow-wrap: anywhere; }
  .prose > * + *, .prose:not(:empty) + .waiting, .refusal > * + * { margin-block-start: 10px; }
  .prose h3 { margin-block-end: 0; font-size: inherit; color: inherit; }
  .prose h3, .prose h4, .prose h5, .prose h6 { font-weight: 650; }
  .prose h3 + * { margin-block-start: 6px; }
  .prose * + h3 { margin-block-start: 18px; padding-block-start: 12px; border-block-start: 1px solid var(--line); }
  .prose ul, .prose ol { padding-inline-start: 22px; }
  .prose .own-mark { list-style: none; } /* Its text begins with a letter or a number of its own. */
  .prose li + li { margin-block-start: 4px; }
  .prose code { padding: 1px 5px; border-radius: 5px; font-family: var(--mono); font-size: .88em; background: var(--faint); }
  .prose pre { position: relative; padding: 0 42px 0 0; border: 1px solid var(--line); border-radius: 8px; background: var(--faint); }
  .prose pre code { display: block; padding: 12px 0 12px 14px; overflow: auto; font-size: 13px; line-height: 1.5; white-space: pre; overflow-wrap: normal; background: none; }
  .prose pre .icon-button { position: absolute; top: 5px; right: 5px; background: var(--base); }
  .prose blockquote { padding-inline-start: 12px; border-inline-start: 3px solid var(--accent); }
  .prose hr { border: 0; border-block-start: 1px solid var(--line); }
  .table { overflow: auto; }
  .prose table { border-collapse: collapse; font-size: 13px; }
  .prose th, .prose td { padding: 5px 9px; border: 1px solid var(--line); text-align: start; }
  .cite { unicode-bidi: isolate; margin-inline-start: 1px; padding: 2px 6px; border-radius: 6px; font-size: 11px; font-weight: 650; line-height: 1; text-decoration: none; vertical-align: 2px; color: var(--accent); background: var(--tint); }
  .cite[href]:hover { color: var(--base); background: var(--accent); }
  .cite.unverified { outline: 1px dashed var(--accent); outline-offset: -1px; background: none; }

  .sources { margin-block-start: 12px; }
  h3, .welcome-label { margin-block-end: 6px; font-size: 12px; font-weight: 650; color: var(--muted); }
  .source-list h4 { margin-block: 10px 4px; font-size: 12px; color: var(--muted); }
  .group + .group { margin-block-start: 6px; }
  .group { display: grid; gap: 6px; list-style: none; }
  .citation { display: flex; gap: 10px; padding-block: 8px; padding-inline: 11px 6px; border: 1px solid var(--line); border-radius: 10px; line-height: 1.4; }
  .citation:has(a:hover) { border-color: var(--accent); }
  .citation.unverified { border-style: dashed; }
  .number { flex: none; min-width: 20px; height: 20px; margin-block-start: 1px; border-radius: 6px; font-size: 12px; font-weight: 650; line-height: 20px; text-align: center; color: var(--accent); background: var(--tint); }
  .citation-body { flex: 1; min-width: 0; }
  .citation-head { display: flex; align-items: flex-start; gap: 4px; }
  .citation-title { flex: 1; min-width: 0; font-size: 14px; font-weight: 600; text-decoration: none; overflow-wrap: anywhere; }
  .citation-title:hover { text-decoration: underline; }
  .expand { width: 26px; height: 22px; }
  .expand svg { transition: transform .15s; }
  .expand[aria-expanded=true] svg { transform: rotate(180deg); }
  .trail { font-size: 12px; color: var(--muted); overflow-wrap: anywhere; }
  .tag { display: inline-block; margin-block-start: 2px; padding: 0 6px; border: 1px dashed var(--line); border-radius: 6px; font-size: 11px; color: var(--muted); }
  .excerpt { margin-block: 6px 2px; padding-inline-start: 10px; border-inline-start: 3px solid var(--line); font-size: 13px; white-space: pre-line; overflow-wrap: anywhere; }
  .sources > .link-button { margin-block-start: 6px; }

  .answer-footer { display: flex; align-items: flex-start; gap: 4px; min-height: 28px; margin-block-start: 10px; }
  .actions { display: flex; flex: none; margin-block-start: -3px; margin-inline-start: auto; }
  .meta { flex: 1; min-width: 0; font-size: 12px; }
  .meta summary { width: fit-content; border-radius: 6px; color: var(--muted); cursor: pointer; list-style-position: outside; margin-inline-start: 14px; }
  .confidence { display: inline-flex; align-items: center; gap: 7px; font-weight: 600; color: var(--text); }
  .confidence::before { content: ''; width: 9px; height: 9px; border-radius: 50%; background: var(--level); forced-color-adjust: none; }
  .low { --level: #d92d20; }
  .medium { --level: #e8830c; }
  .high { --level: #1a9c53; }

  .suggestions { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; list-style: none; font-size: 13px; }
  .failure { margin-block-start: 10px; padding: 10px 12px; border: 1px solid color-mix(in oklab, #d92d20 45%, transparent); border-radius: 10px; font-size: 14px; }
  .failure.quiet { border-color: var(--line); }
  .failure-actions { display: flex; align-items: center; gap: 14px; margin-block-start: 8px; font-size: 13px; }

  .welcome { display: grid; gap: 8px; }
  .welcome-title { font-size: 20px; font-weight: 650; line-height: 1.3; }
  .welcome-label { margin-block: 12px 0; }
  .suggestion { padding: 9px 14px; border: 1px solid var(--line); border-radius: 10px; font-size: 14px; line-height: 1.4; text-align: start; background: none; }
  .suggestion:hover { border-color: var(--accent); background: var(--faint); }

  .composer { padding: 10px 14px max(14px, env(safe-area-inset-bottom)); border-block-start: 1px solid var(--line); }
  .modes { display: inline-flex; gap: 2px; padding: 2px; border-radius: 9px; background: var(--faint); }
  .mode { position: relative; border-radius: 7px; font-size: 12px; font-weight: 600; line-height: 1.5; cursor: pointer; }
  .mode input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
  .mode span { display: block; padding: 3px 10px; border-radius: 7px; color: var(--muted); }
  .mode input:checked + span { color: var(--text); background: light-dark(#fff, #43454b); box-shadow: 0 1px 3px rgb(0 0 0 / .16); }
  .mode input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 1px; }
  .selection { display: flex; align-items: flex-start; gap: 8px; margin-block-start: 8px; padding-block: 7px; padding-inline: 10px 4px; border-radius: 9px; font-size: 13px; line-height: 1.45; background: var(--tint); }
  .selection > svg { width: 16px; height: 16px; margin-block-start: 2px; color: var(--accent); }
  .selection-text { flex: 1; min-width: 0; overflow-wrap: anywhere; }
  .selection .icon-button { width: 26px; height: 22px; }
  .excess:empty { display: none; }
  .hint, .excess { margin-block-start: 8px; font-size: 13px; color: var(--muted); }
  .field { display: flex; align-items: flex-end; gap: 6px; margin-block-start: 8px; padding: 5px; border: 1px solid color-mix(in oklab, var(--text) 45%, transparent); border-radius: 14px; }
  .field:focus-within { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
  .input { flex: 1; min-width: 0; max-height: 140px; padding: 5px 8px; border: 0; outline: 0; resize: none; unicode-bidi: plaintext; font-size: max(15px, 1em); line-height: 1.5; background: none; }
  .input::placeholder { color: var(--muted); opacity: 1; }
  .send { display: grid; place-items: center; flex: none; width: 34px; height: 34px; border: 0; border-radius: 10px; color: var(--base); background: var(--accent); }
  .send:disabled { opacity: .45; cursor: not-allowed; }
  .send[part=stop] svg { fill: currentColor; }

  @media (max-width: 640px), (max-height: 440px) {
    .panel, .panel.short { inset: 0; width: 100vw; height: 100dvh; border: 0; border-radius: 0; padding-block-start: env(safe-area-inset-top); }
    .input { font-size: 16px; } /* Phones zoom into fields with smaller text. */
    .icon-button { width: 40px; height: 40px; }
    .citation .expand { width: 36px; height: 24px; }
    .actions .icon-button { width: 36px; height: 36px; }
    .prose pre .icon-button { top: 2px; right: 2px; }
  }
  .dock { visibility: hidden; } /* Until frame.js is loaded. */
  [dir=rtl] .header > .icon-button:first-child svg { scale: -1 1; }
  @media (max-width: 999px), (max-height: 440px) { .dock { display: none; } }
  @media (max-height: 440px) {
    .header { padding-block: 2px; }
    .composer { max-height: 50dvh; overflow: auto; } /* At 400 % zoom, half of the window is left for the answer. */
  }
  @media (forced-colors: active) {
    .cite, .number, .question, .send, .suggestion { border: 1px solid; }
    .mode input:checked + span, .icon-button[aria-pressed=true] { outline: 2px solid Highlight; outline-offset: -2px; }
    .dots { forced-color-adjust: none; color: CanvasText; }
    .field:focus-within { outline: 2px solid Highlight; }
    .mode input:focus-visible + span { outline: 2px dashed Highlight; outline-offset: 2px; }
  }
  @media (prefers-reduced-motion: reduce) { .panel, .panel * { animation: none !important; transition: none !important; } }
`;
