/** The facts about an answer; loaded when the reader unfolds them. */
import { h } from '../dom.js';
import english from '../strings/en/details.js';
import { adopt, css, sheet } from '../styles/css.js';
import { scopeText } from './site.js';

/**
 * @import {Turn, ValidationInfo} from '../types.js'
 * @import {StringKey, Translate} from '../core/i18n.js'
 */

const detailsSheet = sheet(css`
  .answer-footer:has(.meta[open]) { flex-wrap: wrap; } /* The facts take the whole width, above the buttons. */
  .meta[open] { flex-basis: 100%; }
  dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: 3px 12px; margin: 8px 0 0; line-height: 1.45; }
  dt { color: var(--muted); }
  dd { margin: 0; }
`);

/**
 * @param {Turn} turn
 * @param {{t: Translate, language: string}} context
 * @param {string} confidence  As text, or ''.
 * @param {ShadowRoot} root
 */
export function detailsView({ head, end }, { t, language }, confidence, root) {
  adopt(root, detailsSheet);
  t.learn(english);
  const checks = end?.validation_info;
  const composer = head?.composer === 'llm' ? 'composer_llm' : 'composer_extractive';
  const absent = (end?.claims ?? []).filter(({ support }) => support === 'absent').map(({ text }) => text);
  const total = Object.values(end?.timings_ms ?? {}).reduce((sum, ms) => sum + ms, 0);
  const milliseconds = new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  const rows = [
    [t('metaConfidence'), confidence],
    [t('metaChecks'), checks ? checksText(checks, t) : ''],
    [t('metaSections'), checks?.context_docs_count === undefined ? '' : checks.context_docs_count.toLocaleString(language)],
    [t('metaComposer'), head?.composer ? t(composer) : ''],
    [t('metaScope'), scopeText(head?.scope, language)],
    [t('support_absent'), absent.join(' · ')],
    [t('metaLearn'), new Intl.ListFormat(language).format(end?.learning_suggestions ?? [])],
    [t('metaTime'), total > 0 ? milliseconds.format(end?.timings_ms?.total ?? total) : ''],
  ].filter(([, value]) => value !== '');
  return h('dl', {}, ...rows.flatMap(([term, value]) => [h('dt', {}, term), h('dd', {}, h('bdi', {}, value))]));
}

/** @param {ValidationInfo} checks @param {Translate} t */
function checksText({ passed, reasons, used_fallback: usedFallback }, t) {
  if (passed === null) return t('checksOff');
  const texts = reasons.map((reason) => t(/** @type {StringKey} */ (`check_${reason}`))).filter(Boolean).join(' · ');
  const verdict = passed ? [t('checksPassed'), texts] : [t('checksFailed', { reasons: texts })];
  return [...verdict, usedFallback && t('fallbackUsed')].filter(Boolean).join(' · ');
}
