// @ts-check
// A table that is wider than its page is scrolled: let the keyboard do it too.
const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) {
      target.setAttribute('tabindex', '0');
    } else {
      target.removeAttribute('tabindex');
    }
  }
});

/** Docusaurus calls it when another page is shown, the first one included. */
export function onRouteDidUpdate() {
  observer?.disconnect();
  document.querySelectorAll('.markdown table').forEach((table) => observer?.observe(table));
}
