import { Window } from 'happy-dom'; // For rendering; layout, focus and CSP are tested in a browser.

const GLOBALS = ['CSSStyleSheet', 'document', 'location', 'Node', 'NodeFilter', 'HTMLElement', 'getComputedStyle', 'CSS'];

/**
 * Install a page's globals for a test file.
 * @param {string} [url]
 */
export function installDom(url = 'https://docs.example.com/kit/guide/') {
  const window = /** @type {any} */ (new Window({ url }));
  for (const name of GLOBALS) Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
  return window;
}
