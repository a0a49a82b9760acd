/**
 * Let the browser paint and react between two pieces of work, where it offers that without a delay; a timer would be held
 * back in a tab that is not looked at.
 * @returns {Promise<void> | undefined}
 */
export function breathe() {
  return globalThis.scheduler?.yield?.();
}
