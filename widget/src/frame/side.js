/**
 * The side that the site or the direction of its text puts the chat at.
 * @param {HTMLElement} panel
 */
export function isAtLeft(panel) {
  return getComputedStyle(panel).getPropertyValue('--left') !== 'auto';
}
