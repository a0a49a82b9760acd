/*
 * Not tinykeys: its key sequences, which this widget does not offer, would take a sixth of the loader. It also reads
 * `event.code` on Latin layouts, where Ctrl+I is another letter's key (Dvorak's C).
 */

/** `ctrl+i`, `cmd+shift+k`, `alt+q`: without Control, Command or Alt, typing a letter would trigger it. */
const SHORTCUT = /^(?=.*(?:ctrl|cmd|alt)\+)(?:(?:ctrl|cmd|alt|shift)\+)+([a-z\d]|f\d\d?)$/u;

/**
 * Parse a configured shortcut. `ctrl` and `cmd` mean the same: Command on a Mac, Control elsewhere.
 * @param {string} text
 * @returns {{matches: (event: KeyboardEvent) => boolean, aria: string, title: string} | null}  `aria` has the format of
 *   `aria-keyshortcuts`. Null if the text is not a shortcut.
 */
export function readShortcut(text) {
  const lower = text.toLowerCase();
  const key = SHORTCUT.exec(lower)?.[1];
  if (!key) return null;
  const [main, alt, shift] = [/ctrl|cmd/u, /alt/u, /shift/u].map((name) => name.test(lower));
  const isMac = /Mac|iP/u.test(navigator.platform);
  const aria = [main && (isMac ? 'Meta' : 'Control'), alt && 'Alt', shift && 'Shift', key.toUpperCase()].filter(Boolean).join('+');
  return {
    matches({ key: printed = '', code, ctrlKey, metaKey, altKey, shiftKey }) {
      // If the key prints no Latin letter (Cyrillic, Option on a Mac), its position counts.
      const letter = /^[a-z]$/iu.test(printed) ? printed : code.replace(/^Key|^Digit/u, '');
      return letter.toLowerCase() === key && (ctrlKey || metaKey) === main && altKey === alt && shiftKey === shift;
    },
    aria,
    title: aria.replace('Meta', '⌘').replace('Control', 'Ctrl'),
  };
}

const SEARCH = readShortcut('ctrl+k');

/** The site's search, which has precedence for both shortcuts. */
const SITE_SEARCH = '[type=search],[role=search],[name=search],.DocSearch';

/** Return whether a key opens the search: Ctrl/Cmd+K or a slash, unless the site uses it. @param {KeyboardEvent} event */
export function isSearch(event) {
  return (event.key === '/' || SEARCH?.matches(event)) && !event.defaultPrevented && !document.querySelector(SITE_SEARCH);
}

/** Return whether the reader is typing in a field, where Ctrl+I means italics. @param {Event} event */
export function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
  return target.isContentEditable || target.matches?.('input,textarea,select');
}
