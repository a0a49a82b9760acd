// What styles show of an element: whether it is seen, and whether a reader sees a gap between two texts.
const INLINE = /^(inline|contents|ruby)/u;
const isClear = (color) => /^rgba\(.*, 0\)$/u.test(color);
const isUnseen = ({display, visibility, opacity}) => display === 'none' || visibility === 'hidden' || opacity === '0';

// Whether an element is clipped to nothing, or stands outside the page, as texts for screen readers do.
const isOutOfView = (one, style) => {
  if (style.position === 'absolute' || style.position === 'fixed') {
    if (/^rect\((0|1px)/u.test(style.clip) || /inset\((50|100)%/u.test(style.clipPath)) return true;
    const box = one.getBoundingClientRect();
    if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return true;
  }
  const isDot = style.overflowX === 'hidden' && parseFloat(style.width) <= 1 && parseFloat(style.height) <= 1;
  return isDot || parseFloat(style.textIndent) <= -999;
};

// The colour behind an element: null for an image, which may have any.
const backgroundOf = (style, outer) => {
  if (style.backgroundImage !== 'none') return null;
  return isClear(style.backgroundColor) ? outer : style.backgroundColor;
};
const backgroundAround = (one) => {
  if (one === null) return /^dark/u.test(getComputedStyle(document.documentElement).colorScheme) ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)';
  const style = getComputedStyle(one);
  return style.backgroundImage === 'none' && isClear(style.backgroundColor) ? backgroundAround(one.parentElement) : backgroundOf(style, null);
};
const isColoured = (one, style, background) => {
  const color = one.ownerSVGElement ? style.fill : style.color;
  const isTransparent = isClear(color) && style.webkitBackgroundClip !== 'text';
  return !isTransparent && color !== background;
};

const edgeOf = (node, isEnd) => {
  if (node.nodeType !== 3) return node.getBoundingClientRect();
  const range = document.createRange();
  range.setStart(node, isEnd ? node.length - 1 : 0);
  range.setEnd(node, isEnd ? node.length : 1);
  return range.getBoundingClientRect();
};
// Links have icons, but an ending directly after a link belongs to its last word.
const isInflected = (node, other) => {
  let link = node.parentElement.closest('a');
  while (link?.parentElement.matches('b, strong, i, em')) link = link.parentElement;
  return link !== null && other.nodeType === 3 && other.parentElement === link.parentElement;
};
// Whether inline code begins or ends between two texts. Code has padding, and still `Map`s is one word.
const isEdgeOfCode = (one, other) => {
  const [code, otherCode] = [one, other].map((node) => node?.parentElement.closest('code, kbd, samp') ?? null);
  return code !== otherCode && (code ?? otherCode).closest('pre') === null;
};
const isApart = (one, other) => {
  if (!one || !other || one === other || isInflected(one, other) || isInflected(other, one)) return false;
  const [left, right] = [edgeOf(one, true), edgeOf(other, false)];
  if (!left.height || !right.height || left.bottom <= right.top || right.bottom <= left.top) return false;
  const gap = Math.max(right.left - left.right, left.left - right.right);
  return gap > Math.max(1.5, 0.12 * Math.min(left.height, right.height));
};
