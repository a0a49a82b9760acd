/**
 * Whether a key event is the configured shortcut (`ctrl+i`, `alt+shift+q`). On a Mac `ctrl` means Command as well.
 * @param {KeyboardEvent} event
 * @param {string} shortcut  Empty: none.
 */
export function matchesShortcut(event, shortcut) {
  const parts = shortcut.toLowerCase().split('+');
  const key = parts.pop();
  return !!key && event.key.toLowerCase() === key
    && (event.ctrlKey || event.metaKey) === parts.includes('ctrl')
    && event.altKey === parts.includes('alt')
    && event.shiftKey === parts.includes('shift');
}

/**
 * Whether the reader is typing somewhere: there, Ctrl+I belongs to the field (italics).
 * @param {Event} event
 */
export function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
  return target.isContentEditable === true || /^(?:INPUT|TEXTAREA|SELECT)$/u.test(target.tagName ?? '');
}
