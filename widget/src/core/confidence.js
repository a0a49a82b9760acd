/** Below this the answer is shown as uncertain, in red (CONF-6). */
const MEDIUM_FROM = 0.4;

/** From this on it is shown as certain, in green; orange in between. */
const HIGH_FROM = 0.7;

/**
 * @param {number} score  0 to 1.
 * @returns {'low' | 'medium' | 'high'}
 */
export function confidenceLevel(score) {
  if (score < MEDIUM_FROM) return 'low';
  return score < HIGH_FROM ? 'medium' : 'high';
}
