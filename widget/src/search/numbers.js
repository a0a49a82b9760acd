/** Sums and ranges of numbers, and BM25 (Robertson and Zaragoza, 2009), by which both search and answers rank. */

/** @param {Iterable<number>} numbers */
export function sum(numbers) {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** The whole numbers from one to another, which is left out. @param {number} from @param {number} to */
export const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

/** How much a term counts that stands so often in a text: 0 to k1 + 1. @param {number} times @param {number} k1 @param {number} [norm] */
export const saturated = (times, k1, norm = 1) => times * (k1 + 1) / (times + k1 * norm);

/** The norm of a text, which is higher for a longer one. @param {number} length @param {number} average @param {number} b */
export const lengthNorm = (length, average, b) => 1 - b + b * length / average;

/** The odds that a part lacks a term. @param {number} parts @param {number} held  The parts with the term. */
export const oddsAgainst = (parts, held) => (parts - held + 0.5) / (held + 0.5);
