/** Colours that are readable on their background (WCAG 2.2, contrast and relative luminance). */

/** WCAG AA for text of the size of code. */
const MIN_CONTRAST = 4.5;

/** Colours move towards black or white in steps of this fraction. */
const STEP = 0.05;

const BLACK = [0, 0, 0];
const WHITE = [255, 255, 255];

/** @typedef {number[]} Rgb  Red, green, blue, 0 to 255. */

/**
 * @param {string} color  A computed value.
 * @returns {{rgb: Rgb, alpha: number} | null} Null for other notations than `rgb()`; few themes use them.
 */
export function readColor(color) {
  const [, body] = /^rgba?\((.+)\)$/u.exec(color) ?? [];
  const numbers = body?.match(/[\d.]+/gu)?.map(Number);
  return numbers ? { rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1 } : null;
}

/** @param {Rgb} rgb */
export function writeColor(rgb) {
  return `rgb(${rgb.map(Math.round).join(', ')})`;
}

/** @param {Rgb} from @param {Rgb} to @param {number} fraction  0 to 1. */
export function mix(from, to, fraction) {
  return from.map((value, channel) => value + (to[channel] - value) * fraction);
}

/** @param {Rgb} one @param {Rgb} other */
export function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @param {Rgb} rgb */
function luminance(rgb) {
  const [red, green, blue] = rgb.map((value) => {
    const fraction = value / 255;
    return fraction <= 0.04045 ? fraction / 12.92 : ((fraction + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Return a colour, moved towards black or white until it is readable on the background. @param {Rgb} rgb @param {Rgb} background */
export function ensureContrast(rgb, background) {
  const end = contrast(BLACK, background) > contrast(WHITE, background) ? BLACK : WHITE;
  let shown = rgb;
  for (let fraction = STEP; contrast(shown.map(Math.round), background) < MIN_CONTRAST && fraction <= 1; fraction += STEP) {
    shown = mix(rgb, end, fraction);
  }
  return shown;
}
