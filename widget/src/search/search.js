/** Search as you type, loaded when it is first opened. */
import { h, icon } from '../dom.js';
import english from '../strings/en/search.js';
import { adopt, sheet } from '../styles/css.js';
import { searchStyles } from '../styles/search.js';
import { createFinder } from './finder.js';
import { createRecent } from './recent.js';
import { marked, passage } from './snippet.js';

/**
 * @typedef {import('./rank.js').Hit} Hit
 * @typedef {(event: MouseEvent, place: import('../chat/citation-view.js').Place, words: string[]) => void} Follow
 * @typedef {object} SearchingChat  What is used of the chat.
 * @property {import('../core/i18n.js').Translate} t
 * @property {import('../types.js').ChatHost} host
 * @property {import('../types.js').ChatEnvironment} environment
 * @property {{site: string, storagePrefix: string}} settings
 * @property {import('../core/storage.js').SafeStorage} storage
 * @property {import('../chat/panel.js').Panel} panel
 * @property {(text: string) => Promise<void>} ask
 * @property {{options: {context: {onFollow: Follow}}}} conversation
 *
 * @typedef {object} Option  What the arrow keys reach.
 * @property {HTMLElement} element
 * @property {(event: MouseEvent) => void} choose
 */

const SEARCH = 'M15 15l5 5M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z';
const ASK = 'M4 5.5h16v11h-8.5L7 20.5v-4H4z';
const CLOCK = 'M12 7v5l3.2 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z';

/** How long a reader pauses before a screen reader is told what was found, in milliseconds. */
const PAUSE_MS = 700;

/** What a key says that confirms an input method's candidate; Safari ends the composition before it. */
const COMPOSING_KEY = 229;

const searchSheet = sheet(searchStyles);

/** One search a chat: what was typed stays. @type {WeakMap<object, ReturnType<typeof createSearch>>} */
const searches = new WeakMap();

/** @param {SearchingChat} chat */
export function openSearch(chat) {
  const search = searches.get(chat) ?? createSearch(chat);
  searches.set(chat, search);
  search.open();
}

/** @param {SearchingChat} chat */
function createSearch(chat) {
  const { t, panel, environment: { root }, settings: { site, storagePrefix }, storage } = chat;
  adopt(root, searchSheet);
  t.learn(english);
  const finder = createFinder(chat.host);
  const recent = createRecent(storage, `${storagePrefix}:searches`);
  const list = h('div', { class: 'found', id: 'found', role: 'listbox', 'aria-label': t('searchResults') });
  const note = h('p', { class: 'found-note' });
  const forget = h('button', { type: 'button', class: 'link-button', onclick: () => {
    recent.forget();
    show();
    input.focus();
  } }, t('searchForget'));
  const input = h('input', { class: 'input', part: 'search-input', type: 'text', role: 'combobox', 'aria-label': t('search'),
    'aria-controls': 'found', 'aria-autocomplete': 'list', 'aria-expanded': 'false', placeholder: t('searchPlaceholder', { site }),
    autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'go', maxlength: '300', oninput: () => show(), onkeydown: onKey });
  const field = h('div', { class: 'search-top' }, h('div', { class: 'field', part: 'search' }, icon(SEARCH), input));
  const content = [field, note, list, forget];
  /** @type {Option[]} */
  let options = [];
  let active = 0;
  /** Counts what was typed: what is found late is not shown. */
  let latest = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  panel.element.addEventListener('close', () => panel.element.open || leave()); // It is told late: it may be open again.

  function open() {
    panel.showHistory(content, t('search'));
    input.focus();
    input.select();
    show();
    finder.open().catch(() => {}); // Told when something is looked for.
  }

  /** The conversation stands there again. */
  function leave() {
    if (input.isConnected) panel.showHistory(null);
  }

  async function show() {
    const text = input.value.trim();
    latest += 1;
    const own = latest;
    forget.hidden = true;
    if (!text) return showRecent();
    const asking = askOption(text);
    if (options.length === 0) fill([], [asking], t('searching', { site }));
    try {
      const { pages, forms } = await finder.find(text);
      if (own !== latest) return;
      const groups = pages.map((hits, at) => groupOf(hits, forms, at));
      fill(groups.map(({ element }) => element), [...groups.flatMap((group) => group.options), asking], groups.length ? '' : t('searchNone'));
      announce(t('searchFound', { n: options.length - 1 }));
    } catch {
      if (own !== latest) return;
      fill([], [asking], t('searchUnavailable'));
      announce(t('searchUnavailable'));
    }
  }

  function showRecent() {
    const kept = recent.all().map((text) => optionOf(h('div', { class: 'option recent' }, icon(CLOCK), h('bdi', {}, text)), () => {
      input.value = text;
      input.focus();
      show();
    }));
    const label = h('p', { class: 'found-page', id: 'recent' }, t('searchRecent'));
    fill(kept.length ? [h('div', { role: 'group', 'aria-labelledby': 'recent' }, label, ...kept.map(({ element }) => element))] : [],
      kept, kept.length ? '' : t('searchHint', { site }));
    forget.hidden = kept.length === 0;
    choose(-1);
    announce('');
  }

  /**
   * @param {HTMLElement[]} elements  Beside the options that stand in none of them.
   * @param {Option[]} reached
   * @param {string} message
   */
  function fill(elements, reached, message) {
    options = reached;
    options.forEach(({ element }, at) => { element.id = `option-${at}`; });
    list.replaceChildren(...elements, ...options.map(({ element }) => element).filter((element) => !element.parentElement));
    list.hidden = options.length === 0;
    input.ariaExpanded = String(options.length > 0);
    note.textContent = message;
    note.hidden = !message;
    choose(0);
  }

  /** @param {number} at  -1: none. */
  function choose(at) {
    active = at;
    options.forEach(({ element }, number) => { element.ariaSelected = String(number === at); });
    if (options[at]) input.setAttribute('aria-activedescendant', options[at].element.id);
    else input.removeAttribute('aria-activedescendant');
    options[at]?.element.scrollIntoView({ block: 'nearest' });
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.isComposing || event.keyCode === COMPOSING_KEY) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options.length) {
      const next = active < 0 && step < 0 ? options.length - 1 : active + step;
      choose((next + options.length) % options.length);
    } else if (event.key === 'Enter') {
      const { ctrlKey, metaKey, shiftKey } = event;
      options[active]?.element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
    } else return;
    event.preventDefault();
  }

  /** @param {HTMLElement} element @param {Option['choose']} chosen @returns {Option} */
  function optionOf(element, chosen) {
    element.setAttribute('role', 'option');
    element.tabIndex = -1; // The focus stays in the field.
    element.addEventListener('click', chosen);
    element.addEventListener('pointerdown', (event) => event.preventDefault());
    return { element, choose: chosen };
  }

  /** @param {string} text */
  function askOption(text) {
    return optionOf(h('div', { class: 'option ask', part: 'search-ask' }, icon(ASK), h('span', {}, t('searchAsk', { query: text }))), () => {
      recent.add(text);
      leave();
      chat.ask(text);
    });
  }

  /**
   * @param {Hit[]} hits  Of one page.
   * @param {Set<string>} forms
   * @param {number} number
   */
  function groupOf(hits, forms, number) {
    const own = hits.map((hit) => sectionOption(hit, forms));
    const label = h('p', { class: 'found-page', id: `page-${number}`, dir: 'auto' }, ...marks(hits[0].section.page, forms));
    return { element: h('div', { role: 'group', 'aria-labelledby': `page-${number}` }, label, ...own.map(({ element }) => element)), options: own };
  }

  /** @param {Hit} hit @param {Set<string>} forms */
  function sectionOption({ shard, part, section }, forms) {
    const { url, anchor, path, page } = section;
    const address = anchor ? `${url}#${encodeURIComponent(anchor)}` : url;
    const text = h('span', { class: 'found-text', dir: 'auto' });
    const trail = path.slice(0, -1).join(' › ');
    /** @type {string[]} */
    const words = [];
    shard.text(part).then((whole) => {
      const { shown, cited } = passage(whole, forms);
      text.append(...marks(shown, forms));
      words.push(cited);
    }, () => {}); // The heading says where it leads.
    return optionOf(h('a', { class: 'option', part: 'search-result', href: address },
      trail && h('span', { class: 'trail', dir: 'auto' }, ...marks(trail, forms)),
      h('span', { class: 'found-title', dir: 'auto' }, ...marks(path.at(-1) ?? page, forms)), text), (event) => {
      recent.add(input.value.trim());
      chat.conversation.options.context.onFollow(event, { url: address }, words);
    });
  }

  /** @param {string} message */
  function announce(message) {
    clearTimeout(pause);
    pause = setTimeout(() => panel.announce(message), PAUSE_MS);
  }

  return { open };
}

/** @param {string} text @param {Set<string>} forms */
function marks(text, forms) {
  return marked(text, forms).map(([stretch, isMatch]) => (isMatch ? h('mark', {}, stretch) : stretch));
}
