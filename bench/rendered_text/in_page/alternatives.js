// Texts that stand for elements without words: formulas, pictures, icons and controls. Null for an element with words.
const isDecoration = (one) =>
  one.getAttribute('aria-hidden') === 'true' || /^(presentation|none)$/u.test(one.getAttribute('role') ?? '');
// A picture's alternative counts once if the link, button, figure or heading around it says the same.
const isRepeatedAround = (one, text) => {
  const outer = one.closest('a, button, figure, h1, h2, h3, h4, h5, h6');
  return outer !== null && outer.textContent.toLowerCase().includes(text.toLowerCase());
};
const isDrawn = (one) => {
  const {backgroundImage, maskImage} = getComputedStyle(one);
  return !one.childNodes.length && (backgroundImage !== 'none' || (maskImage ?? 'none') !== 'none');
};
// Text for screen readers is the alternative of a picture if nothing else stands beside the picture.
const describesPicture = (one) => {
  const parent = one.parentElement;
  if (parent.textContent.trim() !== one.textContent.trim()) return false;
  return parent.querySelector('img, svg, i') !== null || [...parent.children].some((other) => other !== one && isDrawn(other));
};
const pictureText = (one) => {
  const text = one.localName === 'img' ? one.getAttribute('alt') ?? labelOf(one) : labelOf(one);
  return isDecoration(one) || isRepeatedAround(one, text.trim()) ? '' : text.trim();
};
const isRepeatedBeside = (one) => {
  const alt = one.getAttribute('alt');
  return alt !== null && [...one.parentElement.children].filter((other) => other.getAttribute('alt') === alt).length > 1;
};

const JOINTS = {msup: '^', msub: '_', mfrac: '/', msubsup: '^'};
const mathText = (one) => {
  if (one.nodeType === 3) return one.data.trim();
  if (one.localName === 'mo') return ` ${one.textContent.trim()} `;
  const parts = [...one.childNodes].filter((child) => !/^annotation/u.test(child.localName ?? ''));
  return parts.map(mathText).filter(Boolean).join(JOINTS[one.localName] ?? '');
};
const formulaText = (one) => {
  const tex = one.querySelector('annotation[encoding="application/x-tex"]');
  if (tex) return tex.textContent;
  const math = one.localName === 'math' ? one : one.querySelector('math');
  return math && (math.getAttribute('alttext') || mathText(math));
};

const VALUELESS = /^(hidden|radio|range|color|file|password|image)$/u;
const controlText = (one) => {
  if (one.localName === 'select') return one.selectedOptions[0]?.textContent ?? '';
  if (one.type === 'checkbox') return one.checked ? '[x]' : '[ ]';
  return VALUELESS.test(one.type) ? '' : one.value;
};

const alternativeOf = (one, style) => {
  const name = one.localName;
  if (name === 'img') return pictureText(one);
  if (/^(input|select|textarea)$/u.test(name)) return controlText(one);
  if (name === 'math' || name === 'mjx-container' || one.classList.contains('katex')) return formulaText(one);
  if (name === 'svg') return null;
  if (one.getAttribute('role') === 'img' && one.getAttribute('aria-label')) return one.getAttribute('aria-label');
  const isIcon = !one.childNodes.length && style.display.startsWith('inline') && !/^(a|button)$/u.test(name);
  return isIcon ? one.getAttribute('aria-label') || one.getAttribute('title') : null;
};
