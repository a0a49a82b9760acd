/** Space between the words and the panel, in pixels. */
const GAP = 16;

/** Words too tall for the room above the panel begin within this part of it. */
const UPPER = 1 / 3;

/** What the reader may use without asking for the whole panel back: links lead on to the page. */
const CITATION_KEEPS = 'a';

/** While a passage is asked about, the question is written too. */
const SELECTION_KEEPS = 'a, .composer';

/**
 * Keeps places on the page clear of the open panel: it gets shorter, and the page scrolls if it must.
 * @param {HTMLDialogElement} panel
 */
export function createRoom(panel) {
  let used = new AbortController();

  function takeBack() {
    panel.classList.remove('short');
    used.abort();
  }

  /**
   * @param {string} keeps  Where the reader may turn in the panel while it stays short.
   * @param {number} room  Between the place and the end of the panel, in pixels; there is a least height.
   */
  function shorten(keeps, room) {
    takeBack();
    panel.style.setProperty('--room', `${room}px`);
    panel.classList.add('short');
    used = new AbortController();
    const { signal } = used;
    const targetOf = (/** @type {Event} */ event) => /** @type {Element} */ (event.target);
    panel.addEventListener('close', takeBack, { signal });
    panel.addEventListener('click', (event) => { if (!targetOf(event).closest(keeps)) takeBack(); }, { signal });
    panel.addEventListener('focusin', (event) => {
      if (targetOf(event).matches('textarea') && !targetOf(event).closest(keeps)) takeBack();
    }, { signal });
  }

  /**
   * Bring a place into sight; nothing moves when it is.
   * @param {{getBoundingClientRect: () => DOMRect}} place
   * @param {string} keeps
   */
  function makeRoom(place, keeps) {
    const { left, right, top, bottom } = place.getBoundingClientRect();
    const cover = panel.getBoundingClientRect();
    if (!panel.open || panel.matches(':modal') || left === right) return; // No width: the page was drawn anew.
    const isAway = bottom <= 0 || top >= innerHeight;
    const isBeside = left >= cover.right || cover.left >= right;
    if (!isAway && (isBeside || top >= cover.bottom || cover.top >= bottom)) return;
    if (!isBeside) shorten(keeps, isAway ? 0 : cover.bottom - bottom - GAP);
    const edge = (isBeside ? innerHeight : panel.getBoundingClientRect().top) - GAP;
    if (isAway || bottom > edge) scrollBy({ top: Math.min(bottom - edge, top - edge * UPPER), behavior: 'instant' });
  }

  return {
    /**
     * Until the reader turns to the panel again.
     * @param {{getBoundingClientRect: () => DOMRect}} place
     */
    forCitation: (place) => makeRoom(place, CITATION_KEEPS),
    /**
     * Until the reader turns to the conversation.
     * @param {Range} passage
     */
    forSelection: (passage) => makeRoom(passage, SELECTION_KEEPS),
    takeBack,
  };
}

/** @typedef {ReturnType<typeof createRoom>} Room */
