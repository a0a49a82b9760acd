import { h } from '../dom.js';
import { nearestView } from './citation-view.js';
import { quotedList } from './quoted-list.js';

/**
 * @typedef {{contact: string | null, onRephrase: () => void, onWholeSite: () => void}} Actions  What a suggestion can do.
 */

/**
 * An honest refusal: what the sidecar says and why, the search queries, the nearest sections, what the reader can do.
 * @param {import('../types.js').Refusal} refusal
 * @param {import('./citation-view.js').CitationContext & Actions} context
 * @returns {HTMLElement}
 */
export function refusalView(refusal, context) {
  const nearest = refusal.nearest ?? [];
  const searched = refusal.searched ?? [];
  return h('div', { class: 'refusal', part: 'refusal' },
    h('p', { dir: 'auto' }, refusal.message),
    ...(refusal.reasons ?? []).map((reason) => h('p', { dir: 'auto' }, reason)),
    searched.length > 0 && h('p', { class: 'trail' }, ...quotedList(context.t, 'searchedFor', searched)),
    nearest.length > 0 && nearestView(nearest, context),
    suggestionsView(refusal.suggestions ?? [], context));
}

/**
 * The sidecar's suggestions; those that the widget can act on, by their codes, become a link or a button.
 * @param {import('../types.js').Suggestion[]} suggestions
 * @param {Actions & {t: import('../core/i18n.js').Translate}} context
 */
function suggestionsView(suggestions, { t, contact, onRephrase, onWholeSite }) {
  if (suggestions.length === 0) return null;
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick) => (
    h('button', { type: 'button', class: 'link-button', onclick }, text));
  const items = suggestions.map(({ code, text }) => {
    if (code === 'contact' && contact) return h('a', { href: contact }, t('contact'));
    if (code === 'rephrase') return button(t('rephrase'), onRephrase);
    if (code === 'whole_site') return button(t('wholeSite'), onWholeSite);
    return h('span', { dir: 'auto' }, text);
  });
  return h('section', { class: 'sources' },
    h('h3', {}, t('tryThis')), h('ul', { class: 'suggestions' }, ...items.map((item) => h('li', {}, item))));
}
