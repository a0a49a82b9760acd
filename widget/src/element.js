import { hasLanding } from './core/pending-landing.js';
import { h, icon } from './dom.js';
import { keepCornerClear } from './launcher/clear-corner.js';
import { FAILED, LAUNCH, languageFor } from './launcher/labels.js';
import { ownStrings } from './launcher/own-strings.js';
import { isSearch, isTyping, readShortcut } from './launcher/shortcut.js';
import { sheet } from './styles/css.js';
import { launcherStyles } from './styles/launcher.js';

/** A speech bubble with a pin in it. */
const LAUNCHER_ICON = 'M4 5.5h16v11h-8.5L7 20.5v-4H4zM9 9.5h6M9 12.5h3.5';

const DEFAULT_SHORTCUT = 'ctrl+i';

/** Key events that stay inside the widget, so that the site's own hotkeys never fire while the reader types. */
const KEY_EVENTS = ['keydown', 'keypress', 'keyup'];

// Importing this module where there is no DOM (a static site generator's build) must not fail.
const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (/** @type {unknown} */ (class {}));

/**
 * `<pincite-chat>`: the launcher and the button beside selections. The chat is loaded when the reader first acts; until
 * then nothing is requested.
 */
export class PinciteChat extends Base {
  /** @type {Promise<import('./types.js').Chat> | null} */
  #chat = null;
  #language = 'en';
  /** @type {AbortController | null} */
  #listeners = null;
  /** @type {ReturnType<typeof readShortcut>} */
  #shortcut = null;
  /** @type {import('./types.js').PageSelection | null} */
  #selection = null;
  /** What of the page opened the chat and gets the focus back. @type {HTMLElement | null} */
  #opener = null;

  connectedCallback() {
    this.#language = languageFor(this.getAttribute('lang') || document.documentElement.lang);
    this.#render();
    this.#listen();
    // What a click on a citation began, or what a link with `?ask=How do I…` asks for. A page's first look into its storage can take
    // long: a task of its own.
    setTimeout(async () => {
      if (hasLanding() || /ask=/u.test(location.search)) (await this.#loadChat())?.resumeLanding();
    });
  }

  disconnectedCallback() {
    this.#listeners?.abort();
    this.#chat?.then((chat) => chat.close());
  }

  /** Open the chat; a passage highlighted on the page is offered as the thing to ask about. */
  async open() {
    (await this.#loadChat())?.open();
  }

  async close() {
    (await this.#chat)?.close();
  }

  /**
   * Open the chat and ask.
   * @param {string} text
   */
  async ask(text) {
    const chat = await this.#loadChat();
    chat?.open();
    await chat?.ask(text);
  }

  /** Open the search over the site's sections, where the site has the attribute `search`. */
  async search() {
    (await this.#loadChat())?.search();
  }

  /** To be called by a site's router after it changed the page without loading it. */
  async routeChanged() {
    (await this.#chat)?.routeChanged();
  }

  #render() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const launcher = h('button', { class: 'launcher', part: 'launcher', type: 'button', 'aria-haspopup': 'dialog',
      'aria-expanded': 'false', onclick: () => this.#toggle(),
      onpointerdown: (/** @type {Event} */ event) => event.preventDefault() }, // The selection stays.
    icon(this.getAttribute('icon') || LAUNCHER_ICON), ownStrings(this).launch ?? LAUNCH[this.#language]);
    const frame = h('div', { lang: this.#language, dir: this.#language === 'fa' ? 'rtl' : 'ltr' }, launcher);
    root.adoptedStyleSheets = [sheet(launcherStyles)];
    root.replaceChildren(frame);
    // What cannot be read is none: half of it would fire while the reader types.
    const written = this.getAttribute('shortcut') ?? DEFAULT_SHORTCUT;
    this.#shortcut = readShortcut(written);
    if (written && !this.#shortcut) console.warn(`<pincite-chat>: shortcut="${written}" is none. Write "ctrl+i".`);
    launcher.ariaKeyShortcuts = this.#shortcut?.aria ?? '';
    launcher.title = this.#shortcut?.title ?? '';
  }

  /** The button beside selections is loaded with the first text that is highlighted. */
  async #watchSelection() {
    if (this.#selection || getSelection()?.isCollapsed !== false || !this.#listeners) return;
    const module = await import('./launcher/selection-button.js').catch(() => null); // The chat does without.
    this.#selection ??= module?.createSelectionButton({ host: this, root: /** @type {ShadowRoot} */ (this.shadowRoot),
      language: this.#language, signal: this.#listeners.signal,
      onAsk: async (selection) => (await this.#loadChat())?.askAboutSelection(selection) }) ?? null;
  }

  #listen() {
    this.#listeners = new AbortController();
    this.#selection = null;
    const { signal } = this.#listeners;
    const onShortcut = (/** @type {KeyboardEvent} */ event) => {
      const searches = this.hasAttribute('search') && isSearch(event);
      if (!searches && !this.#shortcut?.matches(event)) return;
      if (isTyping(event) && (event.key === '/' || !event.composedPath().includes(this))) return;
      event.preventDefault();
      if (searches) this.search();
      else this.#toggle();
    };
    for (const place of [this, window]) place.addEventListener('keydown', /** @type {EventListener} */ (onShortcut), { signal });
    document.addEventListener('selectionchange', () => this.#watchSelection(), { signal });
    document.addEventListener('click', (event) => {
      const opener = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('[data-pincite-open]'));
      if (!opener) return;
      event.preventDefault();
      this.#opener = opener;
      this.open();
    }, { signal });
    keepCornerClear(this.#launcher, signal);
    for (const type of KEY_EVENTS) this.addEventListener(type, (event) => event.stopPropagation(), { signal });
  }

  #toggle() {
    if (this.#launcher.hidden) this.close();
    else this.open();
  }

  /** @returns {Promise<import('./types.js').Chat | null>} Null when it could not be loaded; the reader is told. */
  async #loadChat() {
    this.#launcher.ariaBusy = 'true';
    try {
      await this.#watchSelection();
      this.#chat ??= import('./chat/chat.js').then(({ createChat }) => createChat({
        host: /** @type {import('./types.js').ChatHost} */ (/** @type {unknown} */ (this)),
        root: /** @type {ShadowRoot} */ (this.shadowRoot),
        language: this.#language,
        selection: { live: () => this.#selection?.live() ?? null, last: () => this.#selection?.last() ?? null },
        onToggle: (open) => this.#showOpen(open),
      }));
      return await this.#chat;
    } catch {
      this.#chat = null;
      this.#showFailure();
      return null;
    } finally {
      this.#launcher.ariaBusy = null;
    }
  }

  /** @param {boolean} open */
  #showOpen(open) {
    this.#launcher.hidden = open;
    this.#launcher.ariaExpanded = String(open);
    if (!open) {
      (this.#opener ?? this.#launcher).focus({ preventScroll: true });
      this.#opener = null;
    }
    this.dispatchEvent(new CustomEvent(open ? 'pincite-open' : 'pincite-close', { bubbles: true, composed: true }));
  }

  async #showFailure() {
    const file = new URL(`strings/${this.#language}.js`, import.meta.url).href;
    const words = this.#language === 'en' ? null : await import(file).catch(() => null);
    this.#part('.failed')?.remove(); // Said anew, it is heard again.
    this.#part('div').append(h('p', { class: 'floating failed', role: 'alert' }, ownStrings(this).failed ?? words?.default.failed ?? FAILED));
  }

  get #launcher() {
    return this.#part('.launcher');
  }

  /** @param {string} selector */
  #part(selector) {
    return /** @type {HTMLElement} */ (this.shadowRoot?.querySelector(selector));
  }
}

// On the prototype, so that a value set before the element was defined is not overwritten.
Object.assign(PinciteChat.prototype, { token: '', navigate: null, context: null, highlight: null, strings: null });
