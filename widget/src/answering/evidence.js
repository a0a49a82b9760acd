/**
 * How likely it is that what was found answers the question (`pincite_core.search.evidence`).
 * @param {import('./types.js').Signals} signals
 * @param {import('./types.js').Calibration} calibration
 */
export function evidenceProbability(signals, { bias, ...weights }) {
  const names = /** @type {(keyof typeof signals)[]} */ (Object.keys(weights));
  const total = names.reduce((sum, name) => sum + weights[name] * signals[name], bias);
  return total > -60 ? 1 / (1 + Math.exp(-total)) : 0;
}
