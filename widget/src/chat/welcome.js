import { h } from '../dom.js';

/** Offered in an empty conversation. */
const QUESTIONS = 3;

/**
 * An empty conversation: what this is, and questions that the page is known to answer, as soon as they are there.
 * @param {object} options
 * @param {import('../core/i18n.js').Translate} options.t
 * @param {string} options.site
 * @param {string | null} options.trouble  What the reader should know about storage.
 * @param {Promise<string[]>} options.questions
 * @param {(query: string) => void} options.onAsk
 * @returns {HTMLElement}
 */
export function welcomeView({ t, site, trouble, questions, onAsk }) {
  const view = h('div', { class: 'welcome', part: 'welcome' },
    h('p', { class: 'welcome-title' }, t('welcome')),
    h('p', {}, t('welcomeText', { site })),
    trouble && h('p', { class: 'notice' }, trouble));
  questions.then((offered) => {
    if (offered.length > 0) view.append(h('p', { class: 'welcome-label' }, t('suggestionsLabel')));
    view.append(...offered.slice(0, QUESTIONS).map((question) => (
      h('button', { type: 'button', class: 'suggestion', part: 'suggestion', dir: 'auto', onclick: () => onAsk(question) }, question))));
  });
  return view;
}
