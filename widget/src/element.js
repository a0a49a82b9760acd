import { hasLanding } from './core/pending-landing.js';
import { h, icon } from './dom.js';
import { customStrings, FAILED, LAUNCH, languageFor } from './launcher/labels.js';
import { avoidFixedElements } from './launcher/launcher-position.js';
import { isSearch, isTyping, readShortcut } from './launcher/shortcut.js';
import { sheet } from './styles/css.js';
import { launcherStyles } from './styles/launcher.js';

/** @import {Chat, ChatHost, PageSelection} from './types.js' */

/** A speech bubble with a pin in it. */
const LAUNCHER_ICON = 'M4 5.5h16v11h-8.5L7 20.5v-4H4zM9 9.5h6M9 12.5h3.5';

// A static site generator imports this module without a DOM.
const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (/** @type {unknown} */ (class {}));

/** `<pincite-chat>`: the launcher and the button beside selections. The chat is loaded when the reader first uses it. */
export class PinciteChat extends Base {
  /** @type {Promise<Chat> | null} */
  #chat = null;
  #language = 'en';
  /** @type {AbortController | null} */
  #listeners = null;
  /** @type {ReturnType<typeof readShortcut>} */
  #shortcut = null;
  /** @type {PageSelection | null} */
  #selection = null;
  /** The element of the page that opened the chat. It gets the focus back. @type {HTMLElement | null} */
  #opener = null;

  connectedCallback() {
    this.#language = languageFor(this.getAttribute('lang') || document.documentElement.lang);
    this.#render();
    this.#listen();
    // Continue after a click on a citation, or open a link with `?ask=How do I…`. The first access to storage can be slow,
    // so it gets its own task.
    setTimeout(async () => {
      if (hasLanding() || /ask=/u.test(location.search)) (await this.#loadChat())?.resumeLanding();
    });
  }

  disconnectedCallback() {
    this.#listeners?.abort();
    this.#chat?.then((chat) => chat.close());
  }

  /** Open the chat, for a question about the selected text if there is any. */
  async open() {
    (await this.#loadChat())?.open();
  }

  async close() {
    (await this.#chat)?.close();
  }

  /** Open the chat and ask. @param {string} text */
  async ask(text) {
    const chat = await this.#loadChat();
    chat?.open();
    await chat?.ask(text);
  }

  /** Open the search over the site's sections, if the element has the attribute `search`. */
  async search() {
    (await this.#loadChat())?.search();
  }

  /** The site's router calls this after it changed the page without loading it. */
  async routeChanged() {
    (await this.#chat)?.routeChanged();
  }

  #render() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const launcher = h('button', { class: 'launcher', part: 'launcher', type: 'button', 'aria-haspopup': 'dialog',
      'aria-expanded': 'false', onclick: () => this.#toggle(),
      onpointerdown: (/** @type {Event} */ event) => event.preventDefault() }, // Keeps the selection.
    icon(this.getAttribute('icon') || LAUNCHER_ICON), customStrings(this).launch ?? LAUNCH[this.#language]);
    const frame = h('div', { lang: this.#language, dir: this.#language === 'fa' ? 'rtl' : 'ltr' }, launcher);
    root.adoptedStyleSheets = [sheet(launcherStyles)];
    root.replaceChildren(frame);
    const shortcut = this.getAttribute('shortcut') ?? 'ctrl+i';
    this.#shortcut = readShortcut(shortcut);
    if (shortcut && !this.#shortcut) console.warn(`<pincite-chat>: shortcut="${shortcut}" is invalid. Write "ctrl+i".`);
    launcher.ariaKeyShortcuts = this.#shortcut?.aria ?? '';
    launcher.title = this.#shortcut?.title ?? '';
  }

  /** Load the button beside selections when the reader first selects text. */
  async #watchSelection() {
    if (this.#selection || getSelection()?.isCollapsed !== false || !this.#listeners) return;
    const module = await import('./launcher/selection-button.js').catch(() => null); // The chat works without it.
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
    for (const target of [this, window]) target.addEventListener('keydown', /** @type {EventListener} */ (onShortcut), { signal });
    document.addEventListener('selectionchange', () => this.#watchSelection(), { signal });
    document.addEventListener('click', (event) => {
      const opener = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('[data-pincite-open]'));
      if (!opener) return;
      event.preventDefault();
      this.#opener = opener;
      this.open();
    }, { signal });
    avoidFixedElements(this.#launcher, signal);
    // The site's hotkeys must not run while the reader types in the chat.
    for (const type of ['keydown', 'keypress', 'keyup']) this.addEventListener(type, (event) => event.stopPropagation(), { signal });
  }

  #toggle() {
    if (this.#launcher.hidden) this.close();
    else this.open();
  }

  /** @returns {Promise<Chat | null>} Null if it could not be loaded; the reader sees a message. */
  async #loadChat() {
    this.#launcher.ariaBusy = 'true';
    try {
      await this.#watchSelection();
      this.#chat ??= import('./chat/chat.js').then(({ createChat }) => createChat({
        host: /** @type {ChatHost} */ (/** @type {unknown} */ (this)),
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
    const strings = this.#language === 'en' ? null : await import(file).catch(() => null);
    this.#part('.failed')?.remove(); // Screen readers announce the new element again.
    this.#part('div').append(h('p', { class: 'floating failed', role: 'alert' },
      customStrings(this).failed ?? strings?.default.failed ?? FAILED));
  }

  get #launcher() {
    return this.#part('.launcher');
  }

  /** @param {string} selector */
  #part(selector) {
    return /** @type {HTMLElement} */ (this.shadowRoot?.querySelector(selector));
  }
}

// On the prototype, so that it does not overwrite a value that was set before the element was defined.
Object.assign(PinciteChat.prototype, { token: '', navigate: null, context: null, highlight: null, strings: null });
