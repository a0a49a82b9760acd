import { css } from './css.js';

/*
 * Each colour is the first of: the site's --pincite-* property, its Infima variable (which follows the theme switch), a
 * fallback that follows `color-scheme`. `--accent` mixes the site's primary colour with its text colour, so that text in it
 * is legible for every brand colour.
 */
export const launcherStyles = css`
  :host {
    --text: var(--pincite-text, var(--ifm-font-color-base, light-dark(#1c1e21, #e6e7e9)));
    --surface: var(--pincite-surface, var(--ifm-background-surface-color, light-dark(#fff, #1e1f22)));
    --base: light-dark(#fff, #1e1f22);
    --primary: var(--pincite-primary, var(--ifm-color-primary, light-dark(#2457d6, #8fb0ff)));
    --accent: color-mix(in oklab, var(--primary) 62%, var(--text));
    --radius: var(--pincite-radius, var(--ifm-global-radius, 8px));
    --shadow: 0 10px 36px rgb(0 0 0 / .2);
    --layer: var(--pincite-z-index, 300);
    --x: max(var(--pincite-offset-x, 20px), env(safe-area-inset-left), env(safe-area-inset-right));
    --left: auto;
    --right: var(--x);
    display: contents;
    color: var(--text);
    font-family: var(--pincite-font, var(--ifm-font-family-base, inherit));
    font-size: var(--pincite-font-size, 15px);
    font-weight: 400;
    line-height: 1.55;
    letter-spacing: normal;
    text-align: start;
    white-space: normal;
  }
  :host([hidden]) { display: none; }
  :host([position=left]), :host(:not([position=right])) [dir=rtl] {
    --left: var(--x);
    --right: auto;
  }
  [hidden], :host([no-launcher]) .launcher { display: none !important; }
  .launcher, .floating {
    position: fixed;
    z-index: var(--layer);
    border: 0;
    font: inherit;
    font-weight: 600;
    color: var(--base);
    background: var(--accent);
    box-shadow: var(--shadow);
  }
  .launcher {
    bottom: max(var(--pincite-offset-y, 20px), env(safe-area-inset-bottom));
    left: var(--left);
    right: var(--right);
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-height: 46px;
    padding-inline: 15px 18px;
    border-radius: 999px;
  }
  button { cursor: pointer; }
  .launcher:hover { filter: brightness(1.1); }
  .launcher[aria-busy=true] { cursor: progress; opacity: .8; }
  .floating {
    max-width: 280px;
    margin: 0;
    padding: 6px 12px;
    border-radius: var(--radius);
    font-size: 13px;
  }
  .failed { bottom: 78px; left: var(--left); right: var(--right); }
  @media (max-width: 640px) { .launcher { gap: 0; padding-inline: 13px; font-size: 0; } } /* Only the icon. */
  svg {
    width: 20px;
    height: 20px;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  @media (forced-colors: active) { .launcher, .floating { border: 1px solid ButtonText; } }
  @media print { :host { display: none; } }
`;
