import { h } from '../dom.js';
import { nearestView } from './citation-view.js';

/**
 * An honest refusal: what the sidecar says, the nearest sections, what the reader can do.
 * @param {import('../types.js').Refusal} refusal
 * @param {import('./citation-view.js').CitationContext & {contact: string | null, onRephrase: () => void}} context
 * @returns {HTMLElement}
 */
export function refusalView(refusal, context) {
  const nearest = refusal.nearest ?? [];
  return h('div', { class: 'refusal', part: 'refusal' },
    h('p', { dir: 'auto' }, refusal.message),
    nearest.length > 0 && nearestView(nearest, context),
    suggestionsView(refusal.suggestions ?? [], context));
}

/**
 * The sidecar's suggestions; the two that the widget can act on become a link and a button.
 * @param {string[]} suggestions
 * @param {{t: import('../core/i18n.js').Translate, contact: string | null, onRephrase: () => void}} context
 */
function suggestionsView(suggestions, { t, contact, onRephrase }) {
  if (suggestions.length === 0) return null;
  const items = suggestions.map((text) => {
    if (text === t('contact') && contact) return h('a', { href: contact }, text);
    if (text === t('rephrase')) return h('button', { type: 'button', class: 'link-button', onclick: onRephrase }, text);
    return h('span', { dir: 'auto' }, text);
  });
  return h('section', { class: 'sources' },
    h('h3', {}, t('tryThis')), h('ul', { class: 'suggestions' }, ...items.map((item) => h('li', {}, item))));
}
