import { css, sheet } from './css.js';

/** Edges to take hold of; the line in each shows where. Phones have neither: the panel is the window there. */
export const frameSheet = sheet(css`
  .dock { visibility: visible; }
  :host([position=left]) .dock svg, :host(:not([position=right])) [dir=rtl] .dock svg { scale: -1 1; }
  .edge { position: absolute; z-index: 1; touch-action: none; }
  .edge::before { content: ''; position: absolute; border: 0 solid var(--line); border-radius: 2px; }
  .edge:is(:hover, :focus-visible, :active)::before { border-color: var(--accent); }
  .edge:focus-visible { outline-offset: -2px; }
  .edge.width { inset-block: 0; left: 0; width: 10px; cursor: ew-resize; }
  .edge.width::before { top: calc(50% - 18px); left: 3px; height: 36px; border-left-width: 3px; }
  .edge.height { inset-inline: 0; top: 0; height: 10px; cursor: ns-resize; }
  .edge.height::before { top: 3px; left: calc(50% - 18px); width: 36px; border-top-width: 3px; }
  :host([position=left]) .edge.width, :host(:not([position=right])) [dir=rtl] .edge.width { left: auto; right: 0; }
  :host([position=left]) .edge.width::before, :host(:not([position=right])) [dir=rtl] .edge.width::before { left: auto; right: 3px; }
  @media (pointer: coarse) {
    .edge.width { width: 20px; }
    .edge.height { height: 20px; }
  }
  @media (min-width: 1000px) and (min-height: 441px) {
    .panel.docked { inset-block: 0; height: 100dvh; margin-inline: calc(-1px - var(--x)); border-width: 0 1px; border-radius: 0; box-shadow: none; }
    .docked .edge.height { display: none; }
  }
  @media (max-width: 640px), (max-height: 440px) { .edge { display: none; } }
`);
