import { h } from '../dom.js';
import { isAtLeft } from './side.js';

/** How far a key moves an edge, in pixels. */
const STEP = 16;

/** The panel's distance from both ends of the window, in pixels. */
const MARGIN = 32;

/**
 * What an edge moves. `least` is where the composer and its buttons still fit; `usual` is the style sheet's.
 * @typedef {'width' | 'height'} Side
 * @type {Record<Side, {least: number, most: () => number, orientation: string, less: string, more: string}>}
 */
const SIDES = {
  width: { least: 320, most: () => Math.min(Math.max(430, innerWidth * 0.6), innerWidth - MARGIN),
    orientation: 'vertical', less: 'ArrowRight', more: 'ArrowLeft' },
  height: { least: 260, most: () => innerHeight - MARGIN, orientation: 'horizontal', less: 'ArrowDown', more: 'ArrowUp' },
};

/**
 * An edge of the panel that the reader drags or moves with arrow keys (ARIA's window splitter); a double click or Enter gives
 * back the usual size. The size is a custom property of the page, where the site may set it too.
 * @param {object} options
 * @param {HTMLElement} options.panel
 * @param {Side} options.side
 * @param {string} options.label
 * @param {number | undefined} options.size  What the reader chose earlier, in pixels.
 * @param {(size: number | undefined) => void} options.onChoose  Undefined: the usual one.
 * @returns {HTMLElement}
 */
export function createEdge({ panel, side, label, size, onChoose }) {
  const { least, most, orientation, less, more } = SIDES[side];
  const { style } = document.documentElement;
  const edge = h('div', { class: `edge ${side}`, role: 'separator', tabindex: '0', 'aria-label': label, 'aria-orientation': orientation,
    'aria-valuemin': least, ondblclick: reset, onpointerdown: drag, onkeydown: onKey });
  const measured = () => panel.getBoundingClientRect()[side];
  /** Larger is away from the corner that the panel stands in. */
  const sign = () => (side === 'width' && isAtLeft(panel) ? 1 : -1);

  /** @param {number} wanted */
  function set(wanted) {
    size = Math.round(Math.min(Math.max(wanted, least), most()));
    style.setProperty(`--pincite-${side}`, `${size}px`);
    if (side === 'height') panel.classList.remove('short'); // It is the reader's now.
  }

  function reset() {
    style.removeProperty(`--pincite-${side}`);
    onChoose(undefined);
  }

  /** @param {PointerEvent} down */
  function drag(down) {
    if (down.button !== 0) return;
    down.preventDefault(); // Nothing is selected on the way.
    const place = (/** @type {PointerEvent} */ event) => (side === 'width' ? event.clientX : event.clientY);
    const before = measured();
    const dragging = new AbortController();
    const { signal } = dragging;
    edge.setPointerCapture(down.pointerId);
    edge.addEventListener('pointermove', (move) => set(before + sign() * (place(move) - place(down))), { signal });
    edge.addEventListener('lostpointercapture', () => {
      dragging.abort();
      if (measured() !== before) onChoose(size);
    }, { signal });
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const larger = { [more]: -sign(), [less]: sign() }[event.key];
    if (event.key === 'Enter') reset();
    else if (event.key === 'Home') set(least);
    else if (event.key === 'End') set(most());
    else if (larger) set(measured() + STEP * larger);
    else return;
    event.preventDefault();
    if (event.key !== 'Enter') onChoose(size);
  }

  new ResizeObserver(() => {
    edge.setAttribute('aria-valuemax', String(Math.round(most())));
    edge.setAttribute('aria-valuenow', String(Math.round(measured())));
  }).observe(panel);
  if (Number.isFinite(size)) style.setProperty(`--pincite-${side}`, `${size}px`); // A window that is too small for it may grow.
  return edge;
}
