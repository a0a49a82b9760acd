import { h, icon } from '../dom.js';
import { CLOSE, QUOTE, SEND, STOP } from './icons.js';

/**
 * @import {Mode} from '../types.js'
 * @import {Translate} from '../core/i18n.js'
 */

/** The sidecar truncates longer questions (HTTP API). The reader shortens them here. */
const MAX_QUERY_CHARACTERS = 2000;

/** The key code while an input method composes text. Safari ends the composition before the event. */
const COMPOSING_KEY = 229;

/** Length of the selected passage above the question. */
const PREVIEW_CHARACTERS = 140;

/**
 * Create the form in which the reader writes: mode switch, selected passage, question, send or stop.
 * @param {{t: Translate, site: string, onAsk: (query: string) => void, onStop: () => void, onMode: (mode: Mode) => void}} options
 */
export function createComposer({ t, site, onAsk, onStop, onMode }) {
  const input = h('textarea', { class: 'input', part: 'input', rows: '1',
    'aria-label': t('questionLabel'), 'aria-describedby': 'excess', enterkeyhint: 'send', autocomplete: 'off' });
  const send = h('button', { type: 'submit', class: 'send', part: 'send', 'aria-label': t('send'), title: t('send') }, icon(SEND));
  const stop = h('button', { type: 'button', class: 'send', part: 'stop', 'aria-label': t('stop'), title: t('stop'),
    hidden: true, onclick: onStop }, icon(STOP));
  const preview = h('div', { class: 'selection', part: 'selection', hidden: true });
  const hint = h('p', { class: 'hint', hidden: true });
  const radio = (/** @type {Mode} */ mode) => h('input', { type: 'radio', name: 'mode', value: mode, onchange: () => onMode(mode) });
  const radios = { corpus: radio('corpus'), selection: radio('selection') };
  const choice = h('div', { class: 'modes', role: 'radiogroup', 'aria-label': t('modeLabel') },
    h('label', { class: 'mode' }, radios.corpus, h('span', {}, t('modeSite'))),
    h('label', { class: 'mode' }, radios.selection, h('span', {}, t('modeSelection'))));
  const excess = h('p', { class: 'excess', id: 'excess', 'aria-live': 'polite' });
  const form = h('form', { class: 'composer', part: 'composer', onsubmit: submit },
    choice, preview, hint, excess, h('div', { class: 'field' }, input, send, stop));

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    const query = input.value.trim();
    if (query && stop.hidden && !excess.textContent) onAsk(query);
  }

  input.addEventListener('keydown', (event) => {
    // Enter also confirms a candidate of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === COMPOSING_KEY) return;
    submit(event);
  });
  input.addEventListener('input', update);
  setMode('corpus', null);

  /** Show by how much a question is too long, and grow the field up to the limit of the style sheet. */
  function update() {
    const over = [...input.value.trim()].length - MAX_QUERY_CHARACTERS;
    const text = over > 0 ? t('tooLong', { n: over }) : '';
    if (text !== excess.textContent) excess.textContent = text;
    send.disabled = over > 0;
    input.setAttribute('aria-invalid', String(over > 0));
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
  }

  /** @param {Mode} mode @param {string | null} text  The selected passage. */
  function setMode(mode, text) {
    radios[mode].checked = true;
    hint.hidden = true;
    input.placeholder = mode === 'selection' ? t('placeholderSelection') : t('placeholder', { site });
    preview.hidden = mode !== 'selection' || !text;
    const line = (text ?? '').replace(/\s+/gu, ' ');
    const shown = line.length > PREVIEW_CHARACTERS ? `${line.slice(0, PREVIEW_CHARACTERS).trimEnd()}…` : line;
    preview.replaceChildren(icon(QUOTE), h('span', { class: 'selection-text', dir: 'auto' }, shown),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('selectionDrop'), onclick: () => onMode('corpus') },
        icon(CLOSE)));
  }

  return {
    element: form,
    setMode,
    /** Show a message above the question. @param {string} message */
    hint(message) {
      hint.textContent = message;
      hint.hidden = false;
    },
    focus: () => input.focus({ preventScroll: true }),
    /** @param {string} text */
    fill(text) {
      input.value = text;
      update();
      input.focus();
    },
    clear() {
      input.value = '';
      update();
    },
    /** Show the mode switch only to readers with a selection. @param {boolean} offered */
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
