/** How long a site's own script may take to show what was clicked open. */
const SETTLE_MS = 1000;

const HIDDEN_PANEL = '[role="tabpanel"][hidden], [hidden="until-found"]';

/** Tabs without a script: each is a radio button, whose panel a style sheet shows. */
const RADIO = 'input[type="radio"]';

/**
 * Open whatever hides an element: tab panels by their tab or radio button, folded details by their summary, outermost
 * first.
 * @param {Element} target
 * @returns {Promise<void>} Resolves when it is open.
 */
export async function reveal(target) {
  for (const hider of hidersOf(target)) {
    if (hider instanceof HTMLDetailsElement) await openDetails(hider);
    else if (hider.matches(HIDDEN_PANEL)) await openPanel(/** @type {HTMLElement} */ (hider));
    else radioOf(hider)?.click();
  }
}

/**
 * What hides an element.
 * @param {Element} target
 * @returns {Element[]} Outermost first.
 */
export function hidersOf(target) {
  const hiders = [];
  for (let element = /** @type {Element | null} */ (target); element; element = element.parentElement) {
    const isFolded = element.matches('details:not([open])') && !target.closest('summary');
    if (isFolded || element.matches(HIDDEN_PANEL) || getComputedStyle(element).display === 'none') hiders.unshift(element);
  }
  return hiders;
}

/**
 * The radio button that shows a panel: it has the same place among those beside or above the panels.
 * @param {Element} panel
 * @returns {HTMLElement | null}
 */
function radioOf(panel) {
  const panels = [...(panel.parentElement?.children ?? [])].filter((child) => child.matches('div, section'));
  for (let group = panel.parentElement; group; group = group.parentElement) {
    const radios = [...group.querySelectorAll(RADIO)].filter((radio) => !panels.some((one) => one.contains(radio)));
    if (radios.length > 0) return /** @type {HTMLElement | null} */ (radios[panels.indexOf(panel)] ?? null);
  }
  return null;
}

/** @param {HTMLDetailsElement} details */
async function openDetails(details) {
  // A click lets the site animate and remember it; setting `open` is what is left when there is no summary.
  details.querySelector('summary')?.click();
  await until(() => details.open || !details.isConnected, SETTLE_MS);
  details.open = true;
}

/** @param {HTMLElement} panel */
async function openPanel(panel) {
  tabOf(panel)?.click();
  await until(() => !panel.hidden || !panel.isConnected, SETTLE_MS);
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

/**
 * @param {() => unknown} done
 * @param {number} milliseconds  The longest to wait.
 */
export async function until(done, milliseconds) {
  const deadline = performance.now() + milliseconds;
  while (!done() && performance.now() < deadline) await nextFrame();
}

/**
 * @param {number} [milliseconds]
 * @returns {Promise<void>}
 */
export function nextFrame(milliseconds = 16) {
  // A background tab paints no frames; a timer goes on there.
  return new Promise((resolve) => { setTimeout(resolve, milliseconds); });
}
