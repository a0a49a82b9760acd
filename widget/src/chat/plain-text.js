const BLOCKS = /^(?:P|LI|PRE|BLOCKQUOTE|H[1-6]|TR|DIV)$/u;

/**
 * A rendered answer as text for the clipboard and for screen readers: its words and line breaks, without citation
 * markers and buttons.
 * @param {Node} node
 * @returns {string}
 */
export function plainText(node) {
  return collect(node).replaceAll('\u00A0', ' ').replace(/[ \t]+\n/gu, '\n').replace(/\n{3,}/gu, '\n\n').trim();
}

/**
 * @param {Node} node
 * @returns {string}
 */
function collect(node) {
  if (node.nodeType === 3) return node.textContent ?? '';
  const element = /** @type {Element} */ (node);
  if (element.matches?.('.cite, button')) return '';
  if (element.tagName === 'BR') return '\n';
  const inner = [...node.childNodes].map(collect).join(element.tagName === 'TR' ? '\t' : '');
  if (element.tagName === 'LI') return `- ${inner.trim()}\n`;
  if (element.tagName === 'TR') return `${inner}\n`;
  return BLOCKS.test(element.tagName ?? '') ? `${inner}\n\n` : inner;
}
