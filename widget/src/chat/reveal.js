/** How long a site's own script may take to show what was clicked open. */
const SETTLE_MS = 1000;

const HIDDEN_PANEL = '[role="tabpanel"][hidden], [hidden="until-found"]';

/**
 * Open whatever hides an element: tab panels by their tab, folded details by their summary, outermost first.
 * @param {Element} target
 * @returns {Promise<void>} Resolves when it is open.
 */
export async function reveal(target) {
  for (const hider of hidersOf(target)) {
    if (hider instanceof HTMLDetailsElement) await openDetails(hider);
    else await openPanel(/** @type {HTMLElement} */ (hider));
  }
}

/**
 * @param {Element} target
 * @returns {Element[]} Outermost first.
 */
function hidersOf(target) {
  const hiders = [];
  for (let element = /** @type {Element | null} */ (target); element; element = element.parentElement) {
    if (element.matches(`${HIDDEN_PANEL}, details:not([open])`)) hiders.unshift(element);
  }
  return hiders;
}

/** @param {HTMLDetailsElement} details */
async function openDetails(details) {
  // A click lets the site animate and remember it; setting `open` is what is left when there is no summary.
  details.querySelector('summary')?.click();
  await settled(() => details.open);
  details.open = true;
}

/** @param {HTMLElement} panel */
async function openPanel(panel) {
  tabOf(panel)?.click();
  await settled(() => !panel.hidden);
  panel.hidden = false;
}

/**
 * The tab of a panel: by its label, by what it controls, or by its place among its siblings (Docusaurus names neither).
 * @param {HTMLElement} panel
 * @returns {HTMLElement | null}
 */
function tabOf(panel) {
  const label = panel.getAttribute('aria-labelledby');
  const labelled = label ? document.getElementById(label) : null;
  if (labelled?.getAttribute('role') === 'tab') return labelled;
  const tabs = /** @type {HTMLElement[]} */ ([...(tabListOf(panel)?.querySelectorAll('[role="tab"]') ?? [])]);
  const controlling = tabs.find((tab) => panel.id && tab.getAttribute('aria-controls') === panel.id);
  const siblings = [...(panel.parentElement?.children ?? [])].filter((child) => child.matches('[role="tabpanel"]'));
  return controlling ?? tabs[siblings.indexOf(panel)] ?? null;
}

/** @param {HTMLElement} panel */
function tabListOf(panel) {
  for (let element = panel.parentElement; element; element = element.parentElement) {
    const list = [...element.querySelectorAll('[role="tablist"]')].find((candidate) => !panel.contains(candidate));
    if (list) return list;
  }
  return null;
}

/** @param {() => boolean} done */
async function settled(done) {
  const deadline = performance.now() + SETTLE_MS;
  while (!done() && performance.now() < deadline) await nextFrame();
}

/** @returns {Promise<void>} */
export function nextFrame() {
  // A background tab paints no frames; a timer goes on there.
  return new Promise((resolve) => { setTimeout(resolve, 16); });
}
