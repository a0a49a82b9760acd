/** Replies without an answer: refusals and failures. */
import { h } from '../dom.js';
import { citationView } from './citation-view.js';

/**
 * @import {Failure, Refusal, Turn} from '../types.js'
 * @import {StringKey, Translate} from '../core/i18n.js'
 * @import {CitationContext} from './citation-view.js'
 */

/** Used if a rate-limited reply names no time to wait. */
const DEFAULT_RETRY_SECONDS = 60;

/**
 * Show the sidecar's message and reasons, the search queries, the nearest sections and suggestions. Suggestions with a known
 * code become a link or a button.
 * @param {Refusal} refusal
 * @param {CitationContext & {contact: string | null, onRephrase: () => void, onWholeSite: () => void}} context
 */
export function refusalView({ message, reasons = [], searched = [], nearest = [], suggestions = [] }, context) {
  const { t, contact, onRephrase, onWholeSite } = context;
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) => (
    h('button', { type: 'button', class: 'link-button', onclick }, text));
  const items = suggestions.map(({ code, text }) => {
    if (code === 'contact' && contact) return h('a', { href: contact }, t('contact'));
    if (code === 'rephrase') return button(t('rephrase'), onRephrase);
    if (code === 'whole_site') return button(t('wholeSite'), onWholeSite);
    return h('span', { dir: 'auto' }, text);
  });
  return h('div', { class: 'refusal', part: 'refusal' },
    h('p', { dir: 'auto' }, message),
    ...reasons.map((reason) => h('p', { dir: 'auto' }, reason)),
    searched.length > 0 && h('p', { class: 'trail' }, ...quotedList(t, 'searchedFor', searched)),
    nearest.length > 0 && h('section', { class: 'sources' },
      h('h3', {}, t('nearest')), h('ul', { class: 'group' }, ...nearest.map((citation) => citationView(citation, context)))),
    items.length > 0 && h('section', { class: 'sources' },
      h('h3', {}, t('tryThis')), h('ul', { class: 'suggestions' }, ...items.map((item) => h('li', {}, item)))));
}

/**
 * Return the nodes of a text whose `{list}` is filled in with quoted texts. Each one is isolated and has its own direction.
 * @param {Translate} t
 * @param {StringKey} key
 * @param {string[]} texts
 */
export function quotedList(t, key, texts) {
  const [before, after] = t(key, { list: '\n' }).split('\n');
  return [before, ...texts.flatMap((text, place) => [place > 0 && ' · ', h('bdi', { dir: 'auto' }, text)]), after ?? false];
}

/**
 * Show why there is no complete answer, with a button to try again.
 * @param {Turn} turn
 * @param {Failure} failure
 * @param {{t: Translate, searchUrl: (query: string) => string | null, onRetry: () => void}} context
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
 * Return the sentence for a failure. Unknown codes share one; operators find the server's message in the HTTP response.
 * @param {Turn} turn
 * @param {Failure} failure
 * @param {Translate} t
 */
export function failureText(turn, { code, retryAfter }, t) {
  if (code === 'stopped') return t('stopped');
  if (code === 'interrupted') return t(turn.answer ? 'error_interrupted' : 'error_lost');
  const key = /** @type {StringKey} */ (`error_${code}`);
  return t(key, { n: retryAfter ?? DEFAULT_RETRY_SECONDS, origin: location.origin }) || t('error_failed');
}
