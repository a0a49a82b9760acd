/** The request for consent before the first question; loaded if the site asks for it. */
import { safeUrl } from '../core/links.js';
import { h } from '../dom.js';
import english from '../strings/en/consent.js';

/**
 * Ask at the end of the conversation. A second request replaces the first.
 * @param {HTMLElement} log
 * @param {object} options
 * @param {import('../core/i18n.js').Translate} options.t
 * @param {import('./site.js').Settings} options.settings
 * @param {import('../core/storage.js').SafeStorage} options.storage  Remembers that the reader agreed.
 * @returns {Promise<boolean>} Whether the reader agreed.
 */
export function askConsent(log, { t, settings: { site, consent, consentUrl, storagePrefix }, storage }) {
  t.learn(english);
  const text = consent || t('consentText', { site });
  const url = safeUrl(consentUrl, document.baseURI);
  /** @type {HTMLElement | null} */ (log.querySelector('.decline'))?.click();
  return new Promise((resolve) => {
    const decide = (/** @type {boolean} */ agreed) => () => {
      view.remove();
      if (agreed) storage.set(`${storagePrefix}:consent`, consent + consentUrl);
      resolve(agreed);
    };
    const agree = h('button', { type: 'button', class: 'text-button agree', onclick: decide(true) }, t('consentAgree'));
    const view = h('div', { class: 'failure quiet', part: 'consent', role: 'group', 'aria-labelledby': 'consent' },
      h('p', { id: 'consent', dir: 'auto' }, text, ' ', url && h('a', { href: url, target: '_blank', rel: 'noopener' }, t('consentMore'))),
      h('div', { class: 'failure-actions' }, agree,
        h('button', { type: 'button', class: 'text-button decline', onclick: decide(false) }, t('consentDecline'))));
    log.append(view);
    agree.focus(); // Also scrolls there.
  });
}
