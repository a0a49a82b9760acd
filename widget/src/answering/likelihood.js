import { projected, tokenSimilarities } from './late-interaction.js';

/** How likely what is quoted answers the question (`answering/corpus/likelihood.py`). The weights are those of the sidecar. */

const USUAL_NEAREST = 0.8; // Where words stand alone and nothing is compared by its vector.
const USUAL_WORDS = 0.76; // Where tokens have no vectors.
const HUNDRED = 100;

/**
 * @param {import('./types.js').Asking} asking
 * @param {import('./types.js').Passage[]} passages  At least one.
 * @returns {Promise<number>} 0 to 1.
 */
export async function answerLikelihood({ library, embedded, result }, passages) {
  const { tokens, likelihood } = library.facts;
  const { sections, standingOut, query: { text: asked } } = result;
  const shown = passages.flatMap(({ statements }) => statements);
  const query = embedded && projected(embedded, tokens);
  const [words] = query ? await tokenSimilarities(query, [passages.map(({ section }) => section)]) : [];
  const signals = {
    margin: sections[0].score - sections[sections.length - 1].score,
    nearest: standingOut ? Math.max(...shown.map(({ score }) => score)) : USUAL_NEAREST,
    standing_out: standingOut,
    code: Number(passages[0].statements.some(({ kind }) => kind === 'code')),
    shown: shown.flatMap(({ text }) => text.split(/\s+/u).filter(Boolean)).length / HUNDRED,
    words: words || USUAL_WORDS,
    length: Math.log(asked.length),
  };
  const total = Object.entries(signals).reduce((sum, [name, value]) => sum + likelihood[name] * value, likelihood.bias);
  return 1 / (1 + Math.exp(-total));
}
