import { h, icon } from '../dom.js';
import { CHECK, COPY } from './icons.js';

/** @import {StringKey} from '../core/i18n.js' */

/** The check mark stays this long, in milliseconds. */
const CONFIRM_MS = 1600;

/**
 * Create a button that copies a text as plain text and, if given, as HTML.
 * @param {object} options
 * @param {string} options.label
 * @param {string} options.confirmation
 * @param {() => string | Promise<string>} options.text  Called when the button is pressed.
 * @param {() => Promise<string>} [options.html]
 * @param {string} [options.symbol]
 * @param {(message: string) => void} options.announce
 * @param {(reason: StringKey) => void} options.onFailure
 */
export function copyButton({ label, confirmation, text, html, symbol = COPY, announce, onFailure }) {
  const button = h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: () => {
    const plain = text();
    copy(plain, html?.(), button).then(() => {
      announce(confirmation);
      button.replaceChildren(icon(CHECK));
      setTimeout(() => button.replaceChildren(icon(symbol)), CONFIRM_MS);
    }, async () => {
      // The clipboard's error is the same for a missing text as for a refused one.
      const failure = await Promise.resolve(plain).then(() => ({ cause: 'copyRefused' }), (error) => error);
      onFailure(failure.cause ?? 'partFailed');
    });
  } }, icon(symbol));
  return button;
}

/**
 * @param {string | Promise<string>} text  Safari accepts a promise only within the click, so it is not awaited first.
 * @param {Promise<string> | undefined} html
 * @param {HTMLElement} button  A selected field must be within the dialog, so it is inserted here.
 */
async function copy(text, html, button) {
  /** @type {Record<string, string | Promise<string>>} */
  const forms = { 'text/plain': text, ...(html && { 'text/html': html }) };
  if (navigator.clipboard) {
    const blobs = Object.entries(forms).map(([type, form]) => [type, (async () => new Blob([await form], { type }))()]);
    return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
  }
  // Plain http has no `navigator.clipboard`, but selected text can be copied.
  const plain = forms['text/plain'] = await text;
  if (html) forms['text/html'] = await html;
  const field = h('textarea', { oncopy: (/** @type {ClipboardEvent} */ event) => {
    event.preventDefault();
    for (const [type, form] of Object.entries(forms)) event.clipboardData?.setData(type, /** @type {string} */ (form));
  } }, plain);
  button.after(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  button.focus();
  if (!copied) throw new Error('The browser does not allow the page to copy.');
}
