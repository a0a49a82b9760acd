import { h, icon } from '../dom.js';
import { CLOSE, QUOTE, SEND, STOP } from './icons.js';

/** The sidecar truncates longer questions (HTTP API); here the reader shortens them. */
const MAX_QUERY_CHARACTERS = 2000;

/** What a key says that confirms an input method's candidate; Safari ends the composition before it. */
const COMPOSING_KEY = 229;

/** How much of a selected passage is shown above the question. */
const PREVIEW_CHARACTERS = 140;

/**
 * Where the reader types: mode switch, the selected passage, the question, send or stop.
 * @param {object} options
 * @param {import('../core/i18n.js').Translate} options.t
 * @param {string} options.site
 * @param {(query: string) => void} options.onAsk
 * @param {() => void} options.onStop
 * @param {(mode: import('../types.js').Mode) => void} options.onMode  The reader chose a mode.
 */
export function createComposer({ t, site, onAsk, onStop, onMode }) {
  const input = h('textarea', { class: 'input', part: 'input', rows: '1',
    'aria-label': t('questionLabel'), 'aria-describedby': 'excess', enterkeyhint: 'send', autocomplete: 'off' });
  const send = h('button', { type: 'submit', class: 'send', part: 'send', 'aria-label': t('send'), title: t('send') }, icon(SEND));
  const stop = h('button', { type: 'button', class: 'send', part: 'stop', 'aria-label': t('stop'), title: t('stop'),
    hidden: true, onclick: onStop }, icon(STOP));
  const preview = h('div', { class: 'selection', part: 'selection', hidden: true });
  const hint = h('p', { class: 'hint', hidden: true });
  const modes = { corpus: modeButton('corpus', t('modeSite')), selection: modeButton('selection', t('modeSelection')) };
  const choice = h('div', { class: 'modes', role: 'radiogroup', 'aria-label': t('modeLabel') }, modes.corpus, modes.selection);
  const excess = h('p', { class: 'excess', id: 'excess', 'aria-live': 'polite' });
  const form = h('form', { class: 'composer', part: 'composer', onsubmit: submit },
    choice, preview, hint, excess, h('div', { class: 'field' }, input, send, stop));

  /**
   * @param {import('../types.js').Mode} mode
   * @param {string} label
   */
  function modeButton(mode, label) {
    const choice = h('input', { type: 'radio', name: 'mode', value: mode, onchange: () => onMode(mode) });
    return h('label', { class: 'mode' }, choice, h('span', {}, label));
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    const query = input.value.trim();
    if (query && stop.hidden && !excess.textContent) onAsk(query);
  }

  input.addEventListener('keydown', (event) => {
    // Enter that confirms an input method's candidate is not meant to send.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === COMPOSING_KEY) return;
    submit(event);
  });
  input.addEventListener('input', measure);
  setMode('corpus', null);

  /** Nothing that is pasted is cut: the reader sees how much is too much, and sending waits. */
  function measure() {
    const over = [...input.value.trim()].length - MAX_QUERY_CHARACTERS;
    const text = over > 0 ? t('tooLong', { n: over }) : '';
    if (text !== excess.textContent) excess.textContent = text;
    send.disabled = over > 0;
    input.setAttribute('aria-invalid', String(over > 0));
    fit(input);
  }

  /**
   * @param {import('../types.js').Mode} mode
   * @param {string | null} text  The selected passage.
   */
  function setMode(mode, text) {
    /** @type {HTMLInputElement} */ (modes[mode].firstElementChild).checked = true;
    hint.hidden = true;
    input.placeholder = mode === 'selection' ? t('placeholderSelection') : t('placeholder', { site });
    preview.hidden = mode !== 'selection' || !text;
    preview.replaceChildren(icon(QUOTE), h('span', { class: 'selection-text', dir: 'auto' }, shorten(text ?? '')),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('selectionDrop'), onclick: () => onMode('corpus') },
        icon(CLOSE)));
  }

  return {
    element: form,
    setMode,
    /**
     * Tell the reader something about what they are about to ask.
     * @param {string} message
     */
    hint(message) {
      hint.textContent = message;
      hint.hidden = false;
    },
    focus: () => input.focus({ preventScroll: true }),
    /** @param {string} text */
    fill(text) {
      input.value = text;
      measure();
      input.focus();
    },
    clear() {
      input.value = '';
      measure();
    },
    /** @param {boolean} offered  The choice of what to ask about: only who has selected something has it. */
    offerModes(offered) {
      choice.hidden = !offered;
    },
    /** @param {boolean} busy */
    setBusy(busy) {
      const hadFocus = (busy ? send : stop).matches(':focus');
      send.hidden = busy;
      stop.hidden = !busy;
      if (hadFocus) (busy ? stop : send).focus();
    },
  };
}

/** @typedef {ReturnType<typeof createComposer>} Composer */

/** @param {string} text */
function shorten(text) {
  const line = text.replace(/\s+/gu, ' ');
  return line.length > PREVIEW_CHARACTERS ? `${line.slice(0, PREVIEW_CHARACTERS).trimEnd()}…` : line;
}

/**
 * Grow the field with its text; the style sheet sets the limit.
 * @param {HTMLTextAreaElement} input
 */
function fit(input) {
  input.style.height = 'auto';
  input.style.height = `${input.scrollHeight}px`;
}
