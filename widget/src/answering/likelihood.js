/** How likely what is quoted answers the question (`answering/corpus/likelihood.py`). The weights are those of the sidecar. */

const USUAL_NEAREST = 0.8; // Where words stand alone and nothing is compared by its vector.
const HUNDRED = 100;

/**
 * @param {import('./types.js').SearchResult} result
 * @param {import('./types.js').Passage[]} passages  At least one.
 * @param {import('./types.js').AnswersFacts['likelihood']} weights
 * @returns {number} 0 to 1.
 */
export function answerLikelihood({ sections, standingOut }, passages, weights) {
  const shown = passages.flatMap(({ statements }) => statements);
  const signals = {
    margin: sections[0].score - sections[sections.length - 1].score,
    nearest: standingOut ? Math.max(...shown.map(({ score }) => score)) : USUAL_NEAREST,
    z_score: standingOut,
    code: Number(passages[0].statements.some(({ kind }) => kind === 'code')),
    shown: shown.reduce((sum, { text }) => sum + text.split(/\s+/u).filter(Boolean).length, 0) / HUNDRED,
  };
  const total = Object.entries(signals).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, weights.bias);
  return 1 / (1 + Math.exp(-total));
}
