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
  const rows = metadataRows(turn, t, score === undefined ? '' : percent.format(score));
  const list = h('dl', {}, ...rows.flatMap(([term, value]) => [h('dt', {}, term), h('dd', {}, h('bdi', {}, value))]));
  if (score === undefined) return h('details', { class: 'meta' }, h('summary', {}, t('details')), list);
  const level = confidenceLevel(score);
  const pill = h('span', { class: `confidence ${level}`, part: 'confidence' },
    `${t(`confidence_${level}`)} · ${percent.format(score)}`);
  return h('details', { class: 'meta' }, h('summary', { title: t('details') }, pill), list);
}

/**
 * @param {Turn} turn
 * @param {Translate} t
 * @param {string} confidence
 * @returns {[string, string][]}
 */
function metadataRows({ head, end }, t, confidence) {
  const checks = end?.validation_info;
  const composer = head?.composer === 'llm' ? 'composer_llm' : 'composer_extractive';
  const learn = end?.learning_suggestions ?? [];
  const total = Object.values(end?.timings_ms ?? {}).reduce((sum, ms) => sum + ms, 0);
  /** @type {[string, string][]} */
  const rows = [
    [t('metaConfidence'), confidence],
    [t('metaChecks'), checks ? checksText(checks, t) : ''],
    [t('metaSections'), checks?.context_docs_count === undefined ? '' : String(checks.context_docs_count)],
    [t('metaComposer'), head?.composer ? t(composer) : ''],
    [t('metaScope'), scopeText(head?.scope)],
    [t('metaLearn'), learn.join('; ')],
    [t('metaTime'), total > 0 ? `${Math.round(end?.timings_ms?.total ?? total)} ms` : ''],
  ];
  return rows.filter(([, value]) => value !== '');
}

/**
 * @param {import('../types.js').ValidationInfo} checks
 * @param {Translate} t
 */
function checksText({ passed, reasons, used_fallback: usedFallback }, t) {
  const readable = reasons.map((reason) => reason.replaceAll('_', ' ')).join(', ');
  const verdict = passed ? t('checksPassed') : t('checksFailed', { reasons: readable });
  return usedFallback ? `${verdict}. ${t('fallbackUsed')}.` : verdict;
}

/**
 * @param {import('../types.js').AnsweredScope | undefined} scope
 * @returns {string}
 */
export function scopeText(scope) {
  return [scope?.version_label ?? scope?.version, scope?.locale].filter(Boolean).join(' · ');
}
