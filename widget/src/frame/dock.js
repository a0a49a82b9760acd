import { installStyles } from '../chat/highlight.js';
import { css } from '../styles/css.js';
import { isAtLeft } from './side.js';

/** On the page's root element while the panel stands beside the page; narrower windows have no room for both. */
const BESIDE = { left: 'pincite-docked-left', right: 'pincite-docked-right' };

const pageStyles = css`
  @media (min-width: 1000px) and (min-height: 441px) {
    .pincite-docked-left { margin-left: min(var(--pincite-width, 430px), max(430px, 60vw)); }
    .pincite-docked-right { margin-right: min(var(--pincite-width, 430px), max(430px, 60vw)); }
  }
`;

/**
 * Puts the panel beside the page, which it then covers nowhere, at the full height of the window.
 * @param {object} options
 * @param {HTMLElement} options.panel
 * @param {HTMLElement} options.button
 * @param {boolean} options.docked
 * @param {(docked: boolean) => void} options.onChoose
 */
export function createDock({ panel, button, docked, onChoose }) {
  const page = document.documentElement.classList;
  button.addEventListener('click', () => {
    docked = !docked;
    onChoose(docked);
    show(true);
  });

  /** @param {boolean} open  Whether the panel is. */
  function show(open) {
    if (docked) installStyles(pageStyles);
    button.setAttribute('aria-pressed', String(docked));
    panel.classList.toggle('docked', docked);
    page.remove(BESIDE.left, BESIDE.right);
    if (docked && open) page.add(isAtLeft(panel) ? BESIDE.left : BESIDE.right);
  }

  return { show };
}
