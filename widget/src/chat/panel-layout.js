/** Keeps places on the page visible while the panel is open: shortens the panel, and scrolls the page if necessary. */

/** @typedef {{getBoundingClientRect: () => DOMRect}} Place */

/** Space between the place and the panel, in pixels. */
const GAP = 16;

/** A place too tall for the space above the panel starts within this part of it. */
const UPPER = 1 / 3;

/** Links lead on to the page, so clicking them leaves the panel short. */
const SHORT_FOR_CITATION = 'a';

/** The reader also writes a question about a selection. */
const SHORT_FOR_SELECTION = 'a, .composer';

/** @param {HTMLDialogElement} panel */
export function createPanelLayout(panel) {
  let shortened = new AbortController();

  function restore() {
    panel.classList.remove('short');
    shortened.abort();
  }

  /** @param {string} exempt @param {number} room  Space below the place, in pixels; the style sheet sets a minimum. */
  function shorten(exempt, room) {
    restore();
    panel.style.setProperty('--room', `${room}px`);
    panel.classList.add('short');
    shortened = new AbortController();
    const { signal } = shortened;
    const targetOf = (/** @type {Event} */ event) => /** @type {Element} */ (event.target);
    panel.addEventListener('close', restore, { signal });
    panel.addEventListener('click', (event) => { if (!targetOf(event).closest(exempt)) restore(); }, { signal });
    panel.addEventListener('focusin', (event) => {
      if (targetOf(event).matches('textarea') && !targetOf(event).closest(exempt)) restore();
    }, { signal });
  }

  /** @param {Place} place @param {string} exempt  Selector of parts that the reader can use without restoring the panel. */
  function uncover(place, exempt) {
    const { left, right, top, bottom } = place.getBoundingClientRect();
    const cover = panel.getBoundingClientRect();
    if (!panel.open || panel.matches(':modal') || left === right) return; // No width: the page has replaced the place.
    const isAway = bottom <= 0 || top >= innerHeight;
    const isBeside = left >= cover.right || cover.left >= right;
    if (!isAway && (isBeside || top >= cover.bottom || cover.top >= bottom)) return;
    if (!isBeside) shorten(exempt, isAway ? 0 : cover.bottom - bottom - GAP);
    const edge = (isBeside ? innerHeight : panel.getBoundingClientRect().top) - GAP;
    if (isAway || bottom > edge) scrollBy({ top: Math.min(bottom - edge, top - edge * UPPER), behavior: 'instant' });
  }

  return {
    /** Show a cited place until the reader uses the panel. @param {Place} place */
    uncoverCitation: (place) => uncover(place, SHORT_FOR_CITATION),
    /** Show the selection until the reader uses the conversation. @param {Place} selection */
    uncoverSelection: (selection) => uncover(selection, SHORT_FOR_SELECTION),
    restore,
  };
}

/** @typedef {ReturnType<typeof createPanelLayout>} PanelLayout */
