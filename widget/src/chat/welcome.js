import { h } from '../dom.js';
import { pageHeadings } from './site.js';

/**
 * An empty conversation: what this is, and questions the page itself suggests.
 * @param {object} options
 * @param {import('../core/i18n.js').Translate} options.t
 * @param {string} options.site
 * @param {string | null} options.trouble  What the reader should know about storage.
 * @param {(query: string) => void} options.onAsk
 * @returns {HTMLElement}
 */
export function welcomeView({ t, site, trouble, onAsk }) {
  const questions = pageHeadings().map((heading) => t('suggestion', { heading }));
  return h('div', { class: 'welcome', part: 'welcome' },
    h('p', { class: 'welcome-title' }, t('welcome')),
    h('p', {}, t('welcomeText', { site })),
    trouble && h('p', { class: 'notice' }, trouble),
    questions.length > 0 && h('p', { class: 'welcome-label' }, t('suggestionsLabel')),
    ...questions.map((question) => (
      h('button', { type: 'button', class: 'suggestion', part: 'suggestion', dir: 'auto', onclick: () => onAsk(question) }, question))));
}
