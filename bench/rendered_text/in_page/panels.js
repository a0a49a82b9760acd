// Open what a reader can open: details, tabs, accordions. Their contents count as seen.
const NAMES_PANEL = ['aria-controls', 'data-bs-target', 'data-target', 'href'];
const OPENERS = '[aria-controls], [data-bs-target], [data-target], a[data-toggle], [role=tab][href]';
const NO_PANELS = '[role=menu], [role=listbox], [role=dialog], [role=tooltip], nav, dialog, [popover]';
const MAY_BE_PANEL = 'details, div, section, pre, ul, ol, p, figure, article, table, tr';
const FOLDED = 'code .boring, code .is-hidden-folded'; // mdBook and Antora fold lines of code.
const namedPanels = () => {
  const values = [...document.querySelectorAll(OPENERS)].flatMap((one) => NAMES_PANEL.map((name) => one.getAttribute(name)));
  const names = values.filter(Boolean).flatMap((value) => value.split(' ').map((name) => name.replace(/^#/u, '')));
  const handlers = [...document.querySelectorAll('[onclick]')].map((one) => one.getAttribute('onclick'));
  return new Set([...names, ...handlers.flatMap((code) => [...code.matchAll(/'([\w-]+)'/gu)].map((found) => found[1]))]);
};
const hasRadios = (one) => one !== null && [...one.children].some((child) => child.matches('input[type=radio]'));
const isPanel = (one, named) => {
  if (one.matches(NO_PANELS)) return false;
  if (one.getAttribute('role') === 'tabpanel' || one.hidden === 'until-found' || named.has(one.id)) return true;
  if ([...one.classList].some((name) => named.has(name))) return true; // Doxygen opens rows by their class.
  const label = document.getElementById(one.getAttribute('aria-labelledby') ?? '');
  if (label?.matches('li, [role=tab], button, label')) return true;
  const parent = one.parentElement;
  return parent !== null && [parent, parent.parentElement, parent.previousElementSibling].some(hasRadios);
};
const show = (one, display) => {
  one.hidden = false;
  for (const [name, value] of [['transition', 'none'], ['display', display], ['visibility', 'visible'], ['opacity', '1']]) {
    one.style.setProperty(name, value, 'important');
  }
};
const openPanels = (roots) => {
  for (const one of roots.flatMap((within) => [...within.querySelectorAll(FOLDED)])) show(one, 'inline');
  const named = namedPanels();
  for (const one of roots.flatMap((within) => [...within.querySelectorAll(MAY_BE_PANEL)])) {
    if (one.tagName === 'DETAILS') one.open = true;
    const {display, visibility} = getComputedStyle(one);
    if ((display !== 'none' && visibility !== 'hidden') || !isPanel(one, named)) continue;
    show(one, one.tagName === 'TR' ? 'table-row' : 'block');
  }
};
