/** How likely what is quoted answers the question (`answering/corpus/likelihood.py`). The weights are those of the sidecar. */

const USUAL_WORDS = 0.71; // For an index without tokens.

/**
 * @param {import('./types.js').SearchResult} result
 * @param {import('./types.js').Passage[]} passages  At least one.
 * @param {import('./types.js').AnswersFacts['likelihood']} weights
 * @returns {number} 0 to 1.
 */
export function answerLikelihood({ sections, standingOut }, passages, weights) {
  const words = passages.map(({ section }) => section.words).filter((near) => near !== null);
  const signals = {
    margin: sections[0].score - sections[sections.length - 1].score,
    words: words.length > 0 ? Math.max(...words) : USUAL_WORDS,
    standing_out: standingOut,
    code: Number(passages[0].statements.some(({ kind }) => kind === 'code')),
  };
  const total = Object.entries(signals).reduce((sum, [name, value]) => sum + weights[name] * value, weights.bias);
  return 1 / (1 + Math.exp(-total));
}
