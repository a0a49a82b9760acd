/** Messages while a question is embedded in the browser; they appear below the question. */
import { h } from '../dom.js';
import { adopt, css, sheet } from '../styles/css.js';

const MEGABYTE = 1e6;

/** Loading that takes less time is not shown, in milliseconds. */
const PATIENCE_MS = 400;

const viewSheet = sheet(css`
  .question + .notice { margin-block-start: 14px; } /* As the answer has. */
  .encoder { outline: 0; }
  .encoder progress { inline-size: 100%; block-size: 6px; margin-block-start: 6px; accent-color: var(--accent); }
`);

/** @param {number} bytes */
export const megabytes = (bytes) => Math.max(1, Math.round(bytes / MEGABYTE));

/** @param {import('./panel.js').Panel} panel @param {import('../core/i18n.js').Translate} t */
export function createEmbeddingView(panel, t) {
  /** @type {HTMLElement | null} */
  let shown = null;

  // The panel gets its root only after this view is created.
  const addStyles = () => adopt(/** @type {ShadowRoot} */ (panel.element.getRootNode()), viewSheet);

  /** @param {HTMLElement} box */
  function show(box) {
    hide();
    addStyles();
    shown = box;
    panel.follow(() => panel.log.append(box), box);
    box.scrollIntoView?.({ block: 'nearest' });
  }

  function hide() {
    shown?.remove();
    shown = null;
  }

  /**
   * Ask the reader to choose.
   * @template T
   * @param {string} text
   * @param {[string, T][]} choices
   * @param {AbortSignal} signal  Aborting it resolves to null.
   * @returns {Promise<T | null>}
   */
  function choose(text, choices, signal) {
    return new Promise((resolve) => {
      const choice = (/** @type {T | null} */ value) => () => {
        hide();
        resolve(value);
      };
      const buttons = choices.map(([label, value]) => h('button', { type: 'button', class: 'text-button', onclick: choice(value) }, label));
      signal.addEventListener('abort', choice(null));
      const box = h('div', { class: 'failure quiet encoder', part: 'encoder', role: 'group', tabindex: '-1', 'aria-label': text },
        h('p', { dir: 'auto' }, text), h('div', { class: 'failure-actions' }, ...buttons));
      show(box);
      box.focus(); // Not a button: a second Enter after the question would press it.
    });
  }

  /** Show the progress of loading, with a button to continue without an embedding. */
  function loading() {
    const text = h('p', { dir: 'auto' }, t('encoderStarting'));
    const bar = h('progress', { 'aria-label': t('encoderStarting') });
    const button = h('button', { type: 'button', class: 'text-button' }, t('encoderWithout'));
    /** @type {Promise<null>} */
    const skipped = new Promise((resolve) => { button.addEventListener('click', () => resolve(null)); });
    const timer = setTimeout(() => {
      show(h('div', { class: 'failure quiet encoder', part: 'encoder' }, text, bar, h('div', { class: 'failure-actions' }, button)));
      panel.announce(t('encoderStarting'));
    }, PATIENCE_MS);
    return {
      skipped,
      /** @param {import('../encoder/types.js').Progress} progress */
      progress({ loaded, total, starting }) {
        bar.max = total;
        if (starting) bar.removeAttribute('value');
        else bar.value = loaded;
        const values = { loaded: Math.floor(loaded / MEGABYTE), total: megabytes(total) };
        text.textContent = starting ? t('encoderStarting') : t('encoderLoading', values);
      },
      end() {
        clearTimeout(timer);
        hide();
      },
    };
  }

  /** Show a permanent line above the answer. Readers may overlook one below it. @param {string} text */
  function note(text) {
    addStyles();
    const line = h('p', { class: 'notice', part: 'notice', dir: 'auto' }, text);
    [...panel.log.querySelectorAll('.question')].at(-1)?.after(line);
    panel.announce(text);
  }

  return { choose, loading, note };
}
