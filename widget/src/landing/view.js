/**
 * @typedef {import('./passage.js').Passage} Passage
 */

/** Space between a place and the edges of what is seen of the page, in pixels. */
const GAP = 12;

/** Bars that stick to the top, one below the other: a site's header, a page's own, a notice. */
const MOST_BARS = 4;

/**
 * Scroll so that the cited words are seen, and their heading above them where both fit; nothing sticks over them.
 * @param {Element} target  The heading, row or option that is cited.
 * @param {Passage | null} passage  Null: only the target is shown.
 */
export function showInView(target, passage) {
  partOf(target, passage).scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' }); // In boxes that scroll by themselves.
  scrollTo(target, passage);
  scrollTo(target, passage); // A header may have come or gone with the scrolling.
}

/**
 * What has to be open: the element in which the cited words begin.
 * @param {Element} target
 * @param {Passage | null} passage
 */
export function partOf(target, passage) {
  return passage ? /** @type {Element} */ (passage.ranges[0].startContainer.parentElement) : target;
}

/**
 * @param {Element} target
 * @param {Passage | null} passage
 */
function scrollTo(target, passage) {
  const box = (passage ?? target).getBoundingClientRect();
  const head = Math.min(target.getBoundingClientRect().top, box.top);
  const seen = visualViewport ?? { offsetTop: 0, height: innerHeight }; // A part of the window where a page is too wide for a phone.
  const top = Math.max(coveredTo(target, box.left), seen.offsetTop) + GAP;
  const room = seen.offsetTop + seen.height - GAP - top;
  const above = Math.max(0, room - (box.bottom - box.top)) / 2; // Words far below their heading stand in the middle.
  const distance = box.bottom - head <= room ? head - top : box.top - top - above;
  scrollerOf(target).scrollBy({ top: distance, behavior: 'instant' });
}

/**
 * How far down the window something sticks over the page.
 * @param {Element} target  Its scroll margin says where the site wants it.
 * @param {number} left
 */
function coveredTo(target, left) {
  const root = getComputedStyle(document.documentElement);
  let covered = Math.max(parseFloat(getComputedStyle(target).scrollMarginTop) || 0, parseFloat(root.scrollPaddingTop) || 0) - GAP;
  const x = Math.min(Math.max(left, 0) + 1, innerWidth - 1);
  for (let bars = 0, bottom = 0; bars < MOST_BARS; bars += 1) {
    const bar = barOf(document.elementFromPoint(x, bottom + 1), target);
    if (!bar) break;
    bottom = bar.getBoundingClientRect().bottom;
    covered = Math.max(covered, bottom);
  }
  return Math.min(Math.max(covered, 0), innerHeight / 2);
}

/**
 * @param {Element | null} element
 * @param {Element} target  What holds it covers nothing.
 * @returns {Element | null} The element that sticks to the window and holds this one.
 */
function barOf(element, target) {
  for (let part = element; part && !part.contains(target); part = part.parentElement) {
    if (/^(?:fixed|sticky)$/u.test(getComputedStyle(part).position)) return part;
  }
  return null;
}

/**
 * What scrolls a place up and down: the window, or the part of the page that a site scrolls in its place.
 * @param {Element} target
 */
function scrollerOf(target) {
  for (let part = target.parentElement; part && part !== document.body; part = part.parentElement) {
    if (part.scrollHeight > part.clientHeight && /auto|scroll/u.test(getComputedStyle(part).overflowY)) return part;
  }
  return window;
}
