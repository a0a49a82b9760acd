/** Let the browser paint and handle input, if it has `scheduler.yield`. A timer would be throttled in a background tab. */
export function yieldToMain() {
  return globalThis.scheduler?.yield?.();
}
