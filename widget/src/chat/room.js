/** Space between the cited words and the panel, in pixels. */
const GAP = 16;

/** Words too tall for the room above the panel begin within this part of it. */
const UPPER = 1 / 3;

/**
 * Keep the place that a citation led to clear of the open panel: it gets shorter, and the page scrolls if it must.
 * @param {HTMLDialogElement} panel
 * @param {Element | Range} place
 */
export function makeRoom(panel, place) {
  if (!panel.open || !overlap(place.getBoundingClientRect(), panel.getBoundingClientRect())) return;
  shorten(panel);
  const edge = panel.getBoundingClientRect().top - GAP;
  const { top, bottom } = place.getBoundingClientRect();
  if (bottom > edge) scrollBy({ top: Math.min(bottom - edge, top - edge * UPPER), behavior: 'instant' });
}

/**
 * Until the reader turns to the panel again. Its links lead on to the page, so those leave it short.
 * @param {HTMLDialogElement} panel
 */
function shorten(panel) {
  panel.classList.add('short');
  const used = new AbortController();
  const { signal } = used;
  const restore = () => {
    panel.classList.remove('short');
    used.abort();
  };
  const targetOf = (/** @type {Event} */ event) => /** @type {Element} */ (event.target);
  panel.addEventListener('close', restore, { signal });
  panel.addEventListener('click', (event) => { if (!targetOf(event).closest('a')) restore(); }, { signal });
  panel.addEventListener('focusin', (event) => { if (targetOf(event).matches('textarea')) restore(); }, { signal });
}

/**
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
