/*
 * Not tinykeys: its sequences of keys, which nobody configures here, take a sixth of the loader, and it takes
 * `event.code` on Latin layouts too, where Ctrl+I is another letter's key (Dvorak's C).
 */

/** `ctrl+i`, `cmd+shift+k`, `alt+q`: without Control, Command or Alt it would fire while the reader types a letter. */
const SHORTCUT = /^(?=.*(?:ctrl|cmd|alt)\+)(?:(?:ctrl|cmd|alt|shift)\+)+([a-z\d]|f\d\d?)$/u;

/**
 * Read a configured shortcut. `ctrl` and `cmd` mean the same: Command on a Mac, Control elsewhere.
 * @param {string} text
 * @returns {{matches: (event: KeyboardEvent) => boolean, aria: string, title: string} | null}  `aria` is as of
 *   `aria-keyshortcuts`. Null when it is none.
 */
export function readShortcut(text) {
  const written = text.toLowerCase();
  const key = SHORTCUT.exec(written)?.[1];
  if (!key) return null;
  const [main, alt, shift] = [/ctrl|cmd/u, /alt/u, /shift/u].map((name) => name.test(written));
  const isMac = /Mac|iP/u.test(navigator.platform);
  const named = [main && (isMac ? 'Meta' : 'Control'), alt && 'Alt', shift && 'Shift', key.toUpperCase()].filter(Boolean).join('+');
  return {
    matches: (event) => isKey(event, key) && (event.ctrlKey || event.metaKey) === main && event.altKey === alt && event.shiftKey === shift,
    aria: named,
    title: named.replace('Meta', '⌘').replace('Control', 'Ctrl'),
  };
}

/**
 * By what is printed on it; where that is no Latin letter (Cyrillic, Option on a Mac) by where it is on the keyboard.
 * @param {KeyboardEvent} event
 * @param {string} key
 */
function isKey({ key: printed = '', code }, key) {
  const own = /^[a-z]$/iu.test(printed) ? printed : code.replace(/^Key|^Digit/u, '');
  return own.toLowerCase() === key;
}

const SEARCH = readShortcut('ctrl+k');

/** A search of the site's own, to which both belong. */
const OWN_SEARCH = '[type=search],[role=search],[name=search],.DocSearch';

/**
 * Whether keys open the search: Ctrl/Cmd+K or a slash, which the site has not taken.
 * @param {KeyboardEvent} event
 */
export function isSearch(event) {
  return (event.key === '/' || SEARCH?.matches(event)) && !event.defaultPrevented && !document.querySelector(OWN_SEARCH);
}

/**
 * Whether the reader is typing somewhere: there, Ctrl+I belongs to the field (italics).
 * @param {Event} event
 */
export function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
  return target.isContentEditable || target.matches?.('input,textarea,select');
}
