import { h } from '../dom.js';

/** An arrow key moves an edge by this distance, in pixels. */
const STEP = 16;

/** The panel's distances from both sides of the window together, in pixels. */
const MARGIN = 32;

/** The dimensions that an edge changes. Below `min` the composer and its buttons do not fit. */
const SIDES = {
  width: { min: 320, max: () => Math.min(Math.max(430, innerWidth * 0.6), innerWidth - MARGIN),
    orientation: 'vertical', less: 'ArrowRight', more: 'ArrowLeft' },
  height: { min: 260, max: () => innerHeight - MARGIN, orientation: 'horizontal', less: 'ArrowDown', more: 'ArrowUp' },
};

/**
 * Create an edge of the panel that the reader drags or moves with arrow keys (ARIA's window splitter). A double click or
 * Enter restores the default size. The size is a custom property of the page, which the site may also set.
 * @param {object} options
 * @param {HTMLElement} options.panel
 * @param {keyof typeof SIDES} options.side
 * @param {string} options.label
 * @param {number | undefined} options.size  The reader's earlier choice, in pixels.
 * @param {(size: number | undefined) => void} options.onChoose  Undefined for the default size.
 */
export function createEdge({ panel, side, label, size, onChoose }) {
  const { min, max, orientation, less, more } = SIDES[side];
  const { style } = document.documentElement;
  const edge = h('div', { class: `edge ${side}`, role: 'separator', tabindex: '0', 'aria-label': label, 'aria-orientation': orientation,
    'aria-valuemin': min, ondblclick: reset, onpointerdown: drag, onkeydown: onKey });
  const measured = () => panel.getBoundingClientRect()[side];
  /** The panel grows away from its corner. */
  const sign = () => (side === 'width' && isAtLeft(panel) ? 1 : -1);

  /** @param {number} wanted */
  function set(wanted) {
    size = Math.round(Math.min(Math.max(wanted, min), max()));
    style.setProperty(`--pincite-${side}`, `${size}px`);
    if (side === 'height') panel.classList.remove('short'); // The reader's choice replaces the layout's.
  }

  function reset() {
    style.removeProperty(`--pincite-${side}`);
    onChoose(undefined);
  }

  /** @param {PointerEvent} down */
  function drag(down) {
    if (down.button !== 0) return;
    down.preventDefault(); // Dragging must not select text.
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
    else if (event.key === 'Home') set(min);
    else if (event.key === 'End') set(max());
    else if (larger) set(measured() + STEP * larger);
    else return;
    event.preventDefault();
    if (event.key !== 'Enter') onChoose(size);
  }

  new ResizeObserver(() => {
    edge.setAttribute('aria-valuemax', String(Math.round(max())));
    edge.setAttribute('aria-valuenow', String(Math.round(measured())));
  }).observe(panel);
  if (Number.isFinite(size)) style.setProperty(`--pincite-${side}`, `${size}px`); // The window may grow later.
  return edge;
}

/** Return whether the site or the direction of its text puts the panel at the left. @param {HTMLElement} panel */
export function isAtLeft(panel) {
  return getComputedStyle(panel).getPropertyValue('--left') !== 'auto';
}
