/** The reader's choice of the panel's place and size; loaded if the window is large enough. */
import { installStyles } from '../chat/highlight.js';
import english from '../strings/en/frame.js';
import { adopt, css, sheet } from '../styles/css.js';
import { createEdge, isAtLeft } from './edge.js';

/** @typedef {{docked?: boolean, width?: number, height?: number}} Choice  The reader's; sizes in pixels. */

/** Classes of the page's root element while the panel is docked beside the page. Narrow windows ignore them. */
const DOCKED = { left: 'pincite-docked-left', right: 'pincite-docked-right' };

const pageStyles = css`
  @media (min-width: 1000px) and (min-height: 441px) {
    .pincite-docked-left { margin-left: min(var(--pincite-width, 430px), max(430px, 60vw)); }
    .pincite-docked-right { margin-right: min(var(--pincite-width, 430px), max(430px, 60vw)); }
  }
`;

/** The edges are drag handles; the line in each marks its middle. On phones, the panel fills the window. */
const frameSheet = sheet(css`
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

/**
 * Let the reader resize the panel, and dock it beside the page at the full height of the window.
 * @param {object} options
 * @param {HTMLDialogElement} options.panel
 * @param {HTMLElement} options.dock  The button that docks the panel.
 * @param {import('../core/i18n.js').Translate} options.t
 * @param {{get: () => string | null, set: (text: string) => void}} options.stored  The choice as JSON.
 */
export function createFrame({ panel, dock, t, stored }) {
  t.learn(english);
  /** @type {Choice} */
  let choice = {};
  try {
    choice = { ...JSON.parse(stored.get() ?? '{}') };
  } catch {
    // Invalid JSON counts as no choice.
  }
  /** @param {Choice} change  `undefined` removes a choice. */
  const choose = (change) => {
    Object.assign(choice, change);
    stored.set(JSON.stringify(choice));
  };
  adopt(/** @type {ShadowRoot} */ (panel.getRootNode()), frameSheet);
  panel.append(
    createEdge({ panel, side: 'width', label: t('resizeWidth'), size: choice.width, onChoose: (width) => choose({ width }) }),
    createEdge({ panel, side: 'height', label: t('resizeHeight'), size: choice.height, onChoose: (height) => choose({ height }) }));
  let docked = choice.docked === true;
  dock.addEventListener('click', () => {
    docked = !docked;
    choose({ docked });
    update(true);
  });

  /** @param {boolean} open  Whether the panel is open. */
  function update(open) {
    const page = document.documentElement.classList;
    if (docked) installStyles(pageStyles);
    dock.setAttribute('aria-pressed', String(docked));
    panel.classList.toggle('docked', docked);
    page.remove(DOCKED.left, DOCKED.right);
    if (docked && open) page.add(isAtLeft(panel) ? DOCKED.left : DOCKED.right);
  }

  return { update };
}

/** @typedef {ReturnType<typeof createFrame>} Frame */
