import { h, icon } from '../dom.js';
import { CHECK, COPY } from './icons.js';

/** How long the check mark stays, long enough to be seen. */
const CONFIRM_MS = 1600;

/**
 * A button that copies a text and confirms it.
 * @param {object} options
 * @param {string} options.label
 * @param {string} options.confirmation
 * @param {() => string} options.text  Read when pressed.
 * @param {(message: string) => void} options.announce
 * @returns {HTMLButtonElement}
 */
export function copyButton({ label, confirmation, text, announce }) {
  const button = h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: async () => {
    await navigator.clipboard.writeText(text());
    announce(confirmation);
    button.replaceChildren(icon(CHECK));
    setTimeout(() => button.replaceChildren(icon(COPY)), CONFIRM_MS);
  } }, icon(COPY));
  return button;
}
