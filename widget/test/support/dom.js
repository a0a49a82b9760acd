import { Window } from 'happy-dom'; // A DOM for rendering tests; layout, focus and CSP are tested in the browser.

const GLOBALS = ['document', 'location', 'Node', 'NodeFilter', 'HTMLElement', 'getComputedStyle', 'CSS'];

/**
 * Put a page's globals in place for the test file that calls this.
 * @param {string} [url]
 */
export function installDom(url = 'https://docs.example.com/kit/guide/') {
  const window = /** @type {any} */ (new Window({ url }));
  for (const name of GLOBALS) Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
  return window;
}
