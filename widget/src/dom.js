const SVG = 'http://www.w3.org/2000/svg';

/**
 * Build an element. Text becomes text nodes, never markup; `on…` functions become event listeners.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]  `undefined`, `null` and `false` omit an attribute.
 * @param {...(Node | string | null | undefined | false)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Build a decorative line icon. @param {string} path  Path data on a 24 by 24 grid. */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = svg.appendChild(document.createElementNS(SVG, 'path'));
  line.setAttribute('d', path);
  return svg;
}

/**
 * Return the `dir` of a text: right to left if more than a third of its letters are, even after a Latin word
 * ("payload چیست؟", "Docker › نصب"). Otherwise its first letter decides.
 * @param {string} text
 */
export function directionOf(text) {
  const count = (/** @type {RegExp} */ letters) => text.match(letters)?.length ?? 0;
  return count(/[\u0590-\u08ff\ufb1d-\ufefc]/gu) * 3 > count(/\p{L}/gu) ? 'rtl' : 'auto';
}
