/** Colours that can be read on their ground (WCAG 2.2, contrast and relative luminance). */

/** WCAG AA for text of the size that code has. */
const LEAST_CONTRAST = 4.5;

/** A colour that is too near to its ground goes this part of the way to black or white at a time. */
const STEP = 0.05;

const BLACK = [0, 0, 0];
const WHITE = [255, 255, 255];

/** @typedef {number[]} Rgb  Red, green, blue, 0 to 255. */

/**
 * @param {string} color  As browsers compute it.
 * @returns {{rgb: Rgb, alpha: number} | null} Null for what is not written as `rgb()`, which few themes use.
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

/**
 * @param {Rgb} from
 * @param {Rgb} to
 * @param {number} part  0 to 1.
 * @returns {Rgb}
 */
export function mix(from, to, part) {
  return from.map((value, channel) => value + (to[channel] - value) * part);
}

/**
 * @param {Rgb} one
 * @param {Rgb} other
 */
export function contrast(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @param {Rgb} rgb */
function luminance(rgb) {
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * A colour, or what is nearest to it on the way to black or white and can be read.
 * @param {Rgb} rgb
 * @param {Rgb} ground
 * @returns {Rgb}
 */
export function legible(rgb, ground) {
  const end = contrast(BLACK, ground) > contrast(WHITE, ground) ? BLACK : WHITE;
  let shown = rgb;
  for (let part = STEP; contrast(shown.map(Math.round), ground) < LEAST_CONTRAST && part <= 1; part += STEP) shown = mix(rgb, end, part);
  return shown;
}
