/** Wait until fade-in transitions have finished, in milliseconds. */
const SETTLE_MS = 250;

/** Distance between the launcher and the element below it, in pixels. */
const GAP = 12;

/** Events after which a fixed element may have appeared or disappeared. */
const EVENTS = ['scroll', 'resize', 'click', 'transitionend'];

/**
 * Move the launcher above fixed elements of the page in the same corner (back to top, a banner). If the page is wider than
 * a phone's screen, move the launcher into the visible corner.
 * @param {HTMLElement} launcher
 * @param {AbortSignal} signal
 */
export function avoidFixedElements(launcher, signal) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const update = () => {
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = launcher;
    if (!width) return; // The chat is open.
    const { clientWidth, clientHeight } = document.documentElement;
    const [x, y] = [Math.min(left, clientWidth - width), Math.min(top, clientHeight - height)];
    const fixedAt = (/** @type {number} */ lift) => [0.1, 0.5, 0.9]
      .flatMap((right) => [0.1, 0.9].flatMap((down) => document.elementsFromPoint(x + right * width, y + down * height - lift)))
      .find((element) => getComputedStyle(element).position === 'fixed');
    let lift = 0;
    for (let found; (found = fixedAt(lift));) lift = y + height - found.getBoundingClientRect().top + GAP;
    // A dialog of the page leaves no room above it.
    launcher.style.translate = `${x - left}px ${y - top - (lift < innerHeight / 2 ? lift : 0)}px`;
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(update, SETTLE_MS);
  };
  for (const type of EVENTS) addEventListener(type, schedule, { signal, capture: true });
  schedule();
}
