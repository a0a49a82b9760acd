import { h } from '../dom.js';

/** Said when a rate-limited reply names no time to wait. */
const DEFAULT_RETRY_SECONDS = 60;

/**
 * Why there is no complete answer, and what to do about it.
 * @param {import('../types.js').Turn} turn
 * @param {import('../types.js').Failure} failure
 * @param {object} context
 * @param {import('../core/i18n.js').Translate} context.t
 * @param {(query: string) => string | null} context.searchUrl
 * @param {() => void} context.onRetry
 * @returns {HTMLElement}
 */
export function failureView(turn, failure, { t, searchUrl, onRetry }) {
  const search = ['unreachable', 'cors'].includes(failure.code) && searchUrl(turn.query);
  return h('div', { class: failure.code === 'stopped' ? 'failure quiet' : 'failure', part: 'failure' },
    h('p', {}, failureText(turn, failure, t)),
    h('div', { class: 'failure-actions' },
      h('button', { type: 'button', class: 'text-button', onclick: onRetry }, t('retry')),
      search && h('a', { href: search }, t('searchInstead'))));
}

/**
 * A failure that has no sentence of its own is said as any other; whoever runs the site finds the server's in the response.
 * @param {import('../types.js').Turn} turn
 * @param {import('../types.js').Failure} failure
 * @param {import('../core/i18n.js').Translate} t
 * @returns {string}
 */
export function failureText(turn, { code, retryAfter }, t) {
  if (code === 'stopped') return t('stopped');
  if (code === 'interrupted') return t(turn.answer ? 'error_interrupted' : 'error_lost');
  const key = /** @type {import('../core/i18n.js').StringKey} */ (`error_${code}`);
  return t(key, { n: retryAfter ?? DEFAULT_RETRY_SECONDS, origin: location.origin }) || t('error_failed');
}
