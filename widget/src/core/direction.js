/**
 * The direction of a text: from right to left where more than a third of its letters are written so, whatever it begins
 * with ("payload چیست؟", "Docker › نصب"); otherwise its first letter decides.
 * @param {string} text
 */
export function directionOf(text) {
  const count = (/** @type {RegExp} */ letters) => text.match(letters)?.length ?? 0;
  return count(/[\u0590-\u08ff\ufb1d-\ufefc]/gu) * 3 > count(/\p{L}/gu) ? 'rtl' : 'auto';
}
