/**
 * Putting several rankers' scores together (`pincite_core.search.fusion`).
 *
 * @typedef {Record<string, Float64Array>} Scores  By ranker, of every candidate; NaN where it did not find it.
 */

const COSINES = new Set(['dense', 'sentence', 'tokens', 'around', 'title']);
const WORDS = new Set(['body', 'headings', 'page', 'links', 'code']);
const TEXTS = ['body', 'headings', 'page', 'links'];

/**
 * The weights where vectors are worth less than 1 and words hold only a share of what is asked.
 * @param {Record<string, number>} weights
 * @param {number} alone  What the text gains where vectors are worth nothing.
 * @param {number} vectors
 * @param {number} share
 */
export function trusting(weights, alone, vectors, share) {
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => {
    const worth = COSINES.has(name) ? weight * vectors : weight + (name === 'body' ? alone * (1 - vectors) : 0);
    return [name, WORDS.has(name) ? share * worth : worth];
  }));
}

/**
 * The weighted mean of the rankers' normalised scores, each between 0 and 1.
 * @param {Scores} rankers
 * @param {Record<string, number>} weights
 * @param {number} vectors  What these are worth.
 * @param {number} same  Cosines that differ by less are equal.
 */
export function fused(rankers, weights, vectors, same) {
  const taken = Object.entries(weights).filter(([name]) => name in rankers);
  const total = taken.reduce((sum, [, weight]) => sum + weight, 0) || 1;
  const peaks = new Map(TEXTS.filter((name) => name in rankers).map((name) => [name, peak(rankers[name])]));
  const whole = Math.max(...peaks.values());
  const sums = new Float64Array(rankers.body.length);
  for (const [name, weight] of taken) {
    const least = vectors === 1 ? 0 : vectors * (peaks.get(name) ?? 0) + (1 - vectors) * whole;
    const scores = COSINES.has(name) ? spread(rankers[name], same) : shares(rankers[name], TEXTS.includes(name) ? least : 0);
    scores.forEach((score, at) => { sums[at] += weight * score; });
  }
  return sums.map((sum) => sum / total);
}

/** The best of some scores that are not negative. @param {Float64Array} scores */
function peak(scores) {
  return scores.reduce((most, score) => (score > most ? score : most), 0);
}

/** Between 0, the worst and what has none, and 1, the best. @param {Float64Array} scores @param {number} same */
function spread(scores, same) {
  const found = scores.filter((score) => !Number.isNaN(score));
  const low = found.reduce((least, score) => Math.min(least, score), Infinity);
  const high = found.reduce((most, score) => Math.max(most, score), -Infinity);
  return scores.map((score) => (Number.isNaN(score) ? 0 : high - low > same ? (score - low) / (high - low) : 1));
}

/** Shares of the best one, or of what is more. @param {Float64Array} scores @param {number} least */
function shares(scores, least) {
  const most = Math.max(peak(scores), least);
  return scores.map((score) => (most > 0 && !Number.isNaN(score) ? score / most : 0));
}
