/** What the reader sees while questions are embedded on their own machine: below the question that waits for it. */
import { h } from '../dom.js';
import { adopt, css, sheet } from '../styles/css.js';

/**
 * @typedef {import('../core/i18n.js').StringKey} StringKey
 * @typedef {{t: import('../core/i18n.js').Translate, panel: import('./panel.js').Panel}} Place
 */

const MEGABYTE = 1e6;

/** What is there sooner is not told of, in milliseconds: a line that flashes is read by nobody. */
const PATIENCE_MS = 400;

const viewSheet = sheet(css`
  .question + .notice { margin-block-start: 14px; } /* As an answer stands. */
  .encoder { outline: 0; }
  .encoder progress { inline-size: 100%; block-size: 6px; margin-block-start: 6px; accent-color: var(--accent); }
`);

/** @param {number} bytes */
export const megabytes = (bytes) => Math.max(1, Math.round(bytes / MEGABYTE));

/** @param {Place} place */
export function createEmbeddingView({ t, panel }) {
  /** @type {HTMLElement | null} */
  let shown = null;

  /** No sooner than something is shown: the panel is then in its place. */
  const style = () => adopt(/** @type {ShadowRoot} */ (panel.element.getRootNode()), viewSheet);

  /** @param {HTMLElement} box */
  function show(box) {
    hide();
    style();
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
   * @param {AbortSignal} signal  Stopped, nothing is chosen.
   * @returns {Promise<T | null>}
   */
  function choose(text, choices, signal) {
    return new Promise((resolve) => {
      const settle = (/** @type {T | null} */ value) => () => {
        hide();
        resolve(value);
      };
      const buttons = choices.map(([label, value]) => h('button', { type: 'button', class: 'text-button', onclick: settle(value) }, label));
      signal.addEventListener('abort', settle(null));
      const box = h('div', { class: 'failure quiet encoder', part: 'encoder', role: 'group', tabindex: '-1', 'aria-label': text },
        h('p', { dir: 'auto' }, text), h('div', { class: 'failure-actions' }, ...buttons));
      show(box);
      box.focus(); // No button: the Enter that sent the question, pressed twice, would choose it.
    });
  }

  /** A line that says how far loading is, with a way to do without; it is shown when it takes long. */
  function loading() {
    const text = h('p', { dir: 'auto' }, t('encoderStarting'));
    const bar = h('progress', { 'aria-label': t('encoderStarting') });
    /** @type {() => void} */
    let skip = () => {};
    const skipped = new Promise((resolve) => { skip = () => resolve(undefined); });
    const button = h('button', { type: 'button', class: 'text-button', onclick: skip }, t('encoderWithout'));
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

  /**
   * Say something in a quiet line that stays, above the answer: below it nobody may look.
   * @param {string} text
   */
  function note(text) {
    style();
    const line = h('p', { class: 'notice', part: 'notice', dir: 'auto' }, text);
    [...panel.log.querySelectorAll('.question')].at(-1)?.after(line);
    panel.announce(text);
  }

  return { choose, loading, note };
}
