import { confidenceLevel } from '../core/confidence.js';
import { h } from '../dom.js';

/**
 * @typedef {import('../types.js').Turn} Turn
 * @typedef {import('../core/i18n.js').Translate} Translate
 */

/**
 * What is known about an answer: confidence as a word, a colour and a percentage; the rest unfolds on demand.
 * @param {Turn} turn
 * @param {{t: Translate, language: string}} context
 * @returns {HTMLElement}
 */
export function metadataView(turn, { t, language }) {
  const score = turn.end?.confidence_score;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  const facts = h('div');
  const unfold = () => import('./details.js')
    .then(({ detailsView }) => facts.replaceChildren(detailsView(turn, { t, language }, score === undefined ? '' : percent.format(score),
      /** @type {ShadowRoot} */ (facts.getRootNode()))))
    .catch(() => facts.replaceChildren(t('partFailed')));
  if (score === undefined) return h('details', { class: 'meta', ontoggle: unfold }, h('summary', {}, t('details')), facts);
  const level = confidenceLevel(score);
  const pill = h('span', { class: `confidence ${level}`, part: 'confidence' },
    `${t(`confidence_${level}`)} · ${percent.format(score)}`);
  return h('details', { class: 'meta', ontoggle: unfold }, h('summary', { title: t('details') }, pill), facts);
}
