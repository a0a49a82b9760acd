import { h } from '../dom.js';

const MAX_QUESTIONS = 3;

/**
 * Show a welcome in an empty conversation, and add questions that the page is known to answer once they are loaded.
 * @param {object} options
 * @param {import('../core/i18n.js').Translate} options.t
 * @param {string} options.site
 * @param {string | null} options.warning  About storage.
 * @param {Promise<string[]>} options.questions
 * @param {(query: string) => void} options.onAsk
 */
export function welcomeView({ t, site, warning, questions, onAsk }) {
  const view = h('div', { class: 'welcome', part: 'welcome' },
    h('p', { class: 'welcome-title' }, t('welcome')),
    h('p', {}, t('welcomeText', { site })),
    warning && h('p', { class: 'notice' }, warning));
  questions.then((offered) => {
    if (offered.length > 0) view.append(h('p', { class: 'welcome-label' }, t('suggestionsLabel')));
    view.append(...offered.slice(0, MAX_QUESTIONS).map((question) => (
      h('button', { type: 'button', class: 'suggestion', part: 'suggestion', dir: 'auto', onclick: () => onAsk(question) }, question))));
  });
  return view;
}
