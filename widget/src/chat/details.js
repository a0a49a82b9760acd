import { h } from '../dom.js';
import { adopt, css, sheet } from '../styles/css.js';
import english from '../strings/en/details.js';
import { scopeText } from './scope-text.js';

/**
 * @typedef {import('../types.js').Turn} Turn
 * @typedef {import('../core/i18n.js').Translate} Translate
 */

const detailsSheet = sheet(css`
  .answer-footer:has(.meta[open]) { flex-wrap: wrap; } /* The words take the whole width; the buttons stand below them. */
  .meta[open] { flex-basis: 100%; }
  dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: 3px 12px; margin: 8px 0 0; line-height: 1.45; }
  dt { color: var(--muted); }
  dd { margin: 0; }
`);

/**
 * All that is known about an answer, as terms and values; loaded when the reader unfolds it.
 * @param {Turn} turn
 * @param {{t: Translate, language: string}} context
 * @param {string} confidence  As the reader sees it, or ''.
 * @param {ShadowRoot} root  Where they are shown.
 * @returns {HTMLElement}
 */
export function detailsView(turn, context, confidence, root) {
  adopt(root, detailsSheet);
  context.t.learn(english);
  const rows = metadataRows(turn, context, confidence);
  return h('dl', {}, ...rows.flatMap(([term, value]) => [h('dt', {}, term), h('dd', {}, h('bdi', {}, value))]));
}

/**
 * @param {Turn} turn
 * @param {{t: Translate, language: string}} context
 * @param {string} confidence
 * @returns {[string, string][]}
 */
function metadataRows({ head, end }, { t, language }, confidence) {
  const checks = end?.validation_info;
  const composer = head?.composer === 'llm' ? 'composer_llm' : 'composer_extractive';
  const absent = (end?.claims ?? []).filter(({ support }) => support === 'absent').map(({ text }) => text);
  const learn = end?.learning_suggestions ?? [];
  const total = Object.values(end?.timings_ms ?? {}).reduce((sum, ms) => sum + ms, 0);
  const milliseconds = new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  /** @type {[string, string][]} */
  const rows = [
    [t('metaConfidence'), confidence],
    [t('metaChecks'), checks ? checksText(checks, t) : ''],
    [t('metaSections'), checks?.context_docs_count === undefined ? '' : checks.context_docs_count.toLocaleString(language)],
    [t('metaComposer'), head?.composer ? t(composer) : ''],
    [t('metaScope'), scopeText(head?.scope, language)],
    [t('support_absent'), absent.join(' · ')],
    [t('metaLearn'), new Intl.ListFormat(language).format(learn)],
    [t('metaTime'), total > 0 ? milliseconds.format(end?.timings_ms?.total ?? total) : ''],
  ];
  return rows.filter(([, value]) => value !== '');
}

/**
 * @param {import('../types.js').ValidationInfo} checks
 * @param {Translate} t
 */
function checksText({ passed, reasons, used_fallback: usedFallback }, t) {
  if (passed === null) return t('checksOff');
  const named = reasons.map((reason) => t(/** @type {import('../core/i18n.js').StringKey} */ (`check_${reason}`)));
  const told = named.filter(Boolean).join(' · ');
  const verdict = passed ? [t('checksPassed'), told] : [t('checksFailed', { reasons: told })];
  return [...verdict, usedFallback && t('fallbackUsed')].filter(Boolean).join(' · ');
}
