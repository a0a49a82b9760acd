import { h, icon } from '../dom.js';
import { CHECK, COPY } from './icons.js';

/** How long the check mark stays, long enough to be seen. */
const CONFIRM_MS = 1600;

/** @typedef {import('../core/i18n.js').StringKey} StringKey */

/**
 * A button that copies a text and confirms it; where that is pasted decides between its two forms.
 * @param {object} options
 * @param {string} options.label
 * @param {string} options.confirmation
 * @param {() => string | Promise<string>} options.text  Read when pressed.
 * @param {() => Promise<string>} [options.html]
 * @param {string} [options.symbol]
 * @param {(message: string) => void} options.announce
 * @param {(why: StringKey) => void} options.onFailure
 * @returns {HTMLButtonElement}
 */
export function copyButton({ label, confirmation, text, html, symbol = COPY, announce, onFailure }) {
  const button = h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: () => {
    const plain = text();
    copy(plain, html?.(), button).then(() => {
      announce(confirmation);
      button.replaceChildren(icon(CHECK));
      setTimeout(() => button.replaceChildren(icon(symbol)), CONFIRM_MS);
    }, async () => onFailure(await whyNot(plain)));
  } }, icon(symbol));
  return button;
}

/**
 * The clipboard says the same of a text that is not there as of one it refuses.
 * @param {string | Promise<string>} text
 * @returns {Promise<StringKey>}
 */
async function whyNot(text) {
  try {
    await text;
    return 'copyRefused';
  } catch (error) {
    return /** @type {StringKey} */ (/** @type {Error} */ (error).cause ?? 'partFailed');
  }
}

/**
 * @param {string | Promise<string>} text  Not awaited before the clipboard is asked for: Safari allows that in the click alone.
 * @param {Promise<string> | undefined} html
 * @param {HTMLElement} button  Where there is room for a moment: within the dialog, outside of which nothing can be selected.
 */
async function copy(text, html, button) {
  /** @type {Record<string, string | Promise<string>>} */
  const forms = { 'text/plain': text, ...(html && { 'text/html': html }) };
  if (navigator.clipboard) {
    const blobs = Object.entries(forms).map(([type, form]) => [type, (async () => new Blob([await form], { type }))()]);
    return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
  }
  const plain = forms['text/plain'] = await text;
  if (html) forms['text/html'] = await html;
  const field = h('textarea', { oncopy: (/** @type {ClipboardEvent} */ event) => {
    event.preventDefault();
    for (const [type, form] of Object.entries(forms)) event.clipboardData?.setData(type, /** @type {string} */ (form));
  } }, plain); // Plain http has no clipboard; what is selected can still be copied.
  button.after(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  button.focus();
  if (!copied) throw new Error('The browser does not let the page copy.');
}
