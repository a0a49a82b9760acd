/** Scrolls to cited words. */

/** @import {Passage} from './passage.js' */

/** Distance between a place and the edges of the visible page, in pixels. */
const GAP = 12;

/** Sticky bars at the top, one below the other: a site's header, a page's header, a notice. */
const MAX_BARS = 4;

/**
 * Scroll to the cited words, clear of sticky bars; their heading is visible above them if both fit.
 * @param {Element} target  The cited heading, row or option.
 * @param {Passage | null} passage  Null shows only the target.
 */
export function scrollIntoSight(target, passage) {
  elementOf(target, passage).scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' }); // In nested scroll containers.
  scrollTo(target, passage);
  scrollTo(target, passage); // Scrolling may have shown or hidden a header.
}

/** Return the element in which the cited words begin. @param {Element} target @param {Passage | null} passage */
export function elementOf(target, passage) {
  return passage ? /** @type {Element} */ (passage.ranges[0].startContainer.parentElement) : target;
}

/** @param {Element} target @param {Passage | null} passage */
function scrollTo(target, passage) {
  const box = (passage ?? target).getBoundingClientRect();
  const head = Math.min(target.getBoundingClientRect().top, box.top);
  const visible = visualViewport ?? { offsetTop: 0, height: innerHeight }; // Part of the window if a page is too wide for a phone.
  const top = Math.max(stickyHeight(target, box.left), visible.offsetTop) + GAP;
  const room = visible.offsetTop + visible.height - GAP - top;
  const above = Math.max(0, room - (box.bottom - box.top)) / 2; // Words far below their heading are centred.
  const distance = box.bottom - head <= room ? head - top : box.top - top - above;
  scrollContainer(target).scrollBy({ top: distance, behavior: 'instant' });
}

/**
 * Return how far down sticky elements cover the window, in pixels.
 * @param {Element} target  Its scroll margin is the site's own offset.
 * @param {number} left
 */
function stickyHeight(target, left) {
  const root = getComputedStyle(document.documentElement);
  let covered = Math.max(parseFloat(getComputedStyle(target).scrollMarginTop) || 0, parseFloat(root.scrollPaddingTop) || 0) - GAP;
  const x = Math.min(Math.max(left, 0) + 1, innerWidth - 1);
  for (let bars = 0, bottom = 0; bars < MAX_BARS; bars += 1) {
    let bar = document.elementFromPoint(x, bottom + 1);
    while (bar && !bar.contains(target) && !/^(?:fixed|sticky)$/u.test(getComputedStyle(bar).position)) bar = bar.parentElement;
    if (!bar || bar.contains(target)) break; // An element around the target does not cover it.
    bottom = bar.getBoundingClientRect().bottom;
    covered = Math.max(covered, bottom);
  }
  return Math.min(Math.max(covered, 0), innerHeight / 2);
}

/** Return the nearest ancestor that scrolls vertically, or the window. @param {Element} target */
function scrollContainer(target) {
  for (let part = target.parentElement; part && part !== document.body; part = part.parentElement) {
    if (part.scrollHeight > part.clientHeight && /auto|scroll/u.test(getComputedStyle(part).overflowY)) return part;
  }
  return window;
}
