import { h } from '../dom.js';

/** Below this an answer is shown as uncertain, in red (confidence and fallback design). */
const MEDIUM_FROM = 0.4;

/** From this on it is shown as certain, in green; orange in between. */
const HIGH_FROM = 0.7;

/** @param {number} score  0 to 1. */
export function confidenceLevel(score) {
  if (score < MEDIUM_FROM) return 'low';
  return score < HIGH_FROM ? 'medium' : 'high';
}

/**
 * Show an answer's confidence as a word, a colour and a percentage. The other facts unfold on demand.
 * @param {import('../types.js').Turn} turn
 * @param {{t: import('../core/i18n.js').Translate, language: string}} context
 */
export function confidenceView(turn, { t, language }) {
  const score = turn.end?.confidence_score;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  const confidence = score === undefined ? '' : percent.format(score);
  const facts = h('div');
  const unfold = () => import('./details.js').then(({ detailsView }) => {
    const root = /** @type {ShadowRoot} */ (facts.getRootNode());
    facts.replaceChildren(detailsView(turn, { t, language }, confidence, root));
  }).catch(() => facts.replaceChildren(t('partFailed')));
  if (score === undefined) return h('details', { class: 'meta', ontoggle: unfold }, h('summary', {}, t('details')), facts);
  const level = confidenceLevel(score);
  const pill = h('span', { class: `confidence ${level}`, part: 'confidence' }, `${t(`confidence_${level}`)} · ${confidence}`);
  return h('details', { class: 'meta', ontoggle: unfold }, h('summary', { title: t('details') }, pill), facts);
}
