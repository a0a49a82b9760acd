/** Opens tabs and folded details that hide an element. */

/** The site's script has this long to show the content of a clicked element, in milliseconds. */
const SETTLE_MS = 1000;

const HIDDEN_PANEL = '[role="tabpanel"][hidden], [hidden="until-found"]';

/**
 * Open all ancestors that hide an element, outermost first: tab panels by their tab or radio button, details by their summary.
 * @param {Element} target
 */
export async function reveal(target) {
  for (const hider of hidingAncestors(target)) {
    if (hider instanceof HTMLDetailsElement) {
      // A click lets the site animate and remember the change. Without a summary, only the attribute is left.
      hider.querySelector('summary')?.click();
      await waitUntil(() => hider.open || !hider.isConnected, SETTLE_MS);
      hider.open = true;
    } else if (hider.matches(HIDDEN_PANEL)) {
      const panel = /** @type {HTMLElement} */ (hider);
      tabOf(panel)?.click();
      await waitUntil(() => !panel.hidden || !panel.isConnected, SETTLE_MS);
      panel.hidden = false;
    } else radioOf(hider)?.click();
  }
}

/** Return the elements that hide an element, outermost first. @param {Element} target */
export function hidingAncestors(target) {
  const hiders = [];
  for (let element = /** @type {Element | null} */ (target); element; element = element.parentElement) {
    const isFolded = element.matches('details:not([open])') && !target.closest('summary');
    if (isFolded || element.matches(HIDDEN_PANEL) || getComputedStyle(element).display === 'none') hiders.unshift(element);
  }
  return hiders;
}

/**
 * Return the radio button that shows a panel of tabs without a script. It has the same index among the buttons beside or
 * above the panels.
 * @param {Element} panel
 */
function radioOf(panel) {
  const panels = [...(panel.parentElement?.children ?? [])].filter((child) => child.matches('div, section'));
  for (let group = panel.parentElement; group; group = group.parentElement) {
    const radios = [...group.querySelectorAll('input[type="radio"]')].filter((radio) => !panels.some((one) => one.contains(radio)));
    if (radios.length > 0) return /** @type {HTMLElement | undefined} */ (radios[panels.indexOf(panel)]);
  }
}

/** Return the tab of a panel: by its label, by what it controls, or by its index (Docusaurus names neither). @param {HTMLElement} panel */
function tabOf(panel) {
  const labelled = document.getElementById(panel.getAttribute('aria-labelledby') ?? '');
  if (labelled?.getAttribute('role') === 'tab') return labelled;
  /** @type {Element | undefined} */
  let list;
  for (let element = panel.parentElement; element && !list; element = element.parentElement) {
    list = [...element.querySelectorAll('[role="tablist"]')].find((candidate) => !panel.contains(candidate));
  }
  const tabs = /** @type {HTMLElement[]} */ ([...(list?.querySelectorAll('[role="tab"]') ?? [])]);
  const controlling = tabs.find((tab) => panel.id && tab.getAttribute('aria-controls') === panel.id);
  const siblings = [...(panel.parentElement?.children ?? [])].filter((child) => child.matches('[role="tabpanel"]'));
  return controlling ?? tabs[siblings.indexOf(panel)];
}

/** @param {() => unknown} done @param {number} milliseconds  The longest to wait. */
export async function waitUntil(done, milliseconds) {
  const deadline = performance.now() + milliseconds;
  while (!done() && performance.now() < deadline) await delay(16);
}

/** Resolve after a time. A timer also runs in a background tab, which paints no frames. @param {number} milliseconds */
export function delay(milliseconds) {
  return new Promise((resolve) => { setTimeout(resolve, milliseconds); });
}
