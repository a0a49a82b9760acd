/** How long the page is at rest before its corner is looked at, in milliseconds: what fades in is there by then. */
const SETTLE_MS = 250;

/** Between the launcher and what it made room for, in pixels. */
const GAP = 12;

/** What may bring something into the corner, or take it away. */
const OCCASIONS = ['scroll', 'resize', 'click', 'transitionend'];

/**
 * Keep the launcher off what else the page fixes to its corner (back to top, a banner): it stands above that. On a page
 * that is too wide for a phone, whose corner is out of sight, it stands in the corner of what is seen.
 * @param {HTMLElement} launcher
 * @param {AbortSignal} signal
 */
export function keepCornerClear(launcher, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const look = () => {
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = launcher;
    if (!width) return; // The chat is open.
    const { clientWidth, clientHeight } = document.documentElement;
    const [x, y] = [Math.min(left, clientWidth - width), Math.min(top, clientHeight - height)];
    launcher.style.translate = `${x - left}px ${y - top - clearance(x, y, width, height)}px`;
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS);
  };
  for (const type of OCCASIONS) addEventListener(type, schedule, { signal, capture: true });
  schedule();
}

/**
 * How far a box must go up to lie over nothing that is fixed, in pixels.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @returns {number} 0 when it would be half of the window: beside a page's own dialog there is no room.
 */
function clearance(x, y, width, height) {
  const fixed = (/** @type {number} */ lift) => [0.1, 0.5, 0.9]
    .flatMap((right) => [0.1, 0.9].flatMap((down) => document.elementsFromPoint(x + right * width, y + down * height - lift)))
    .find((element) => getComputedStyle(element).position === 'fixed');
  let lift = 0;
  for (let found; (found = fixed(lift));) lift = y + height - found.getBoundingClientRect().top + GAP;
  return lift < innerHeight / 2 ? lift : 0;
}
