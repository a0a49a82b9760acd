/** The reader's own place and size for the panel; loaded where there is room for a choice. */
import english from '../strings/en/frame.js';
import { adopt } from '../styles/css.js';
import { frameSheet } from '../styles/frame.js';
import { createDock } from './dock.js';
import { createEdge } from './edge.js';

/**
 * What the reader chose, in this browser; sizes in pixels.
 * @typedef {{docked?: boolean, width?: number, height?: number}} Choice
 */

/**
 * @param {object} options
 * @param {HTMLDialogElement} options.panel
 * @param {HTMLElement} options.dock  The button that puts the panel beside the page.
 * @param {import('../core/i18n.js').Translate} options.t
 * @param {{get: () => string | null, set: (text: string) => void}} options.kept
 */
export function createFrame({ panel, dock, t, kept }) {
  t.learn(english);
  const choice = readChoice(kept.get());
  /** @param {Choice} change  Undefined takes a choice back. */
  const choose = (change) => {
    Object.assign(choice, change);
    kept.set(JSON.stringify(choice));
  };
  adopt(/** @type {ShadowRoot} */ (panel.getRootNode()), frameSheet);
  panel.append(
    createEdge({ panel, side: 'width', label: t('resizeWidth'), size: choice.width, onChoose: (width) => choose({ width }) }),
    createEdge({ panel, side: 'height', label: t('resizeHeight'), size: choice.height, onChoose: (height) => choose({ height }) }));
  return createDock({ panel, button: dock, docked: choice.docked === true, onChoose: (docked) => choose({ docked }) });
}

/**
 * @param {string | null} text
 * @returns {Choice} None where it cannot be read.
 */
function readChoice(text) {
  try {
    return { ...JSON.parse(text ?? '{}') };
  } catch {
    return {};
  }
}

/** @typedef {ReturnType<typeof createFrame>} Frame */
