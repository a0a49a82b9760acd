/**
 * How likely it is that what was found answers the question (`pincite_core.search.evidence`).
 * @param {import('./types.js').Signals} signals
 * @param {import('./types.js').Calibration} calibration
 */
export function evidenceProbability(signals, { bias, ...weights }) {
  const total = Object.entries(weights).reduce((sum, [name, weight]) => sum + weight * (signals[name] ?? 0), bias);
  return total > -60 ? 1 / (1 + Math.exp(-total)) : 0;
}
