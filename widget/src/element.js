import { takeLanding } from './core/pending-landing.js';
import { pageOf } from './core/links.js';
import { h, icon } from './dom.js';
import { labelsFor, languageFor } from './launcher/labels.js';
import { createSelectionButton } from './launcher/selection-button.js';
import { isTyping, matchesShortcut } from './launcher/shortcut.js';
import { sheet } from './styles/css.js';
import { launcherStyles } from './styles/launcher.js';

/** A speech bubble with a pin in it. */
const LAUNCHER_ICON = 'M4 5.5h16v11h-8.5L7 20.5v-4H4zM9 9.5h6M9 12.5h3.5';

const DEFAULT_SHORTCUT = 'ctrl+i';

/** The parameter that opens the chat with a question: `?ask=How do I…`. */
const DEEP_LINK_PARAMETER = 'ask';

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
  #open = false;
  /** @type {AbortController | null} */
  #listeners = null;
  /** @type {ReturnType<typeof createSelectionButton> | null} */
  #selection = null;

  connectedCallback() {
    this.#language = languageFor(this.getAttribute('lang') || document.documentElement.lang);
    this.#render();
    this.#listen();
    setTimeout(() => this.#resumeLanding()); // A page's first look into its storage can take long: a task of its own.
    this.#followDeepLink();
  }

  disconnectedCallback() {
    this.#listeners?.abort();
    this.#selection?.stop();
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

  /** To be called by a site's router after it changed the page without loading it. */
  async routeChanged() {
    (await this.#chat)?.routeChanged();
  }

  #render() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const [launch, askAboutThis] = labelsFor(this.#language);
    const launcher = h('button', { class: 'launcher', part: 'launcher', type: 'button', 'aria-haspopup': 'dialog',
      'aria-expanded': 'false', onpointerdown: keepSelection,
      onclick: () => this.#toggle() }, icon(LAUNCHER_ICON), launch);
    const askThis = h('button', { class: 'ask-this', part: 'ask-this', type: 'button', hidden: true,
      onpointerdown: keepSelection }, askAboutThis);
    const failed = h('p', { class: 'failed', role: 'alert', hidden: true });
    const frame = h('div', { lang: this.#language, dir: this.#language === 'fa' ? 'rtl' : 'ltr' }, launcher, askThis, failed);
    root.adoptedStyleSheets = [sheet(launcherStyles)];
    root.replaceChildren(frame);
    this.#selection = createSelectionButton({ host: this, button: askThis, onAsk: (selection) => this.#askAbout(selection) });
  }

  #listen() {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    const onShortcut = (/** @type {KeyboardEvent} */ event) => {
      const own = event.composedPath().includes(this);
      if (!matchesShortcut(event, this.getAttribute('shortcut') ?? DEFAULT_SHORTCUT) || (isTyping(event) && !own)) return;
      event.preventDefault();
      this.#toggle();
    };
    document.addEventListener('keydown', onShortcut, { signal });
    this.addEventListener('keydown', onShortcut, { signal });
    for (const type of KEY_EVENTS) this.addEventListener(type, (event) => event.stopPropagation(), { signal });
  }

  #toggle() {
    if (this.#open) this.close();
    else this.open();
  }

  /** @param {import('./types.js').CapturedSelection} selection */
  async #askAbout(selection) {
    (await this.#loadChat())?.askAboutSelection(selection);
  }

  /** @returns {Promise<import('./types.js').Chat | null>} Null when it could not be loaded; the reader is told. */
  async #loadChat() {
    this.#launcher.setAttribute('aria-busy', 'true');
    try {
      this.#chat ??= this.#createChat();
      return await this.#chat;
    } catch {
      this.#chat = null;
      this.#showFailure();
      return null;
    } finally {
      this.#launcher.removeAttribute('aria-busy');
    }
  }

  async #createChat() {
    const { createChat } = await import('./chat/chat.js');
    return createChat({
      host: /** @type {import('./types.js').ChatHost} */ (/** @type {unknown} */ (this)),
      root: /** @type {ShadowRoot} */ (this.shadowRoot),
      language: this.#language,
      selection: { live: () => this.#selection?.live() ?? null, last: () => this.#selection?.last() ?? null },
      onToggle: (open) => this.#showOpen(open),
    });
  }

  /** @param {boolean} open */
  #showOpen(open) {
    this.#open = open;
    this.#launcher.hidden = open;
    this.#launcher.setAttribute('aria-expanded', String(open));
    if (!open) this.#launcher.focus({ preventScroll: true });
    this.dispatchEvent(new CustomEvent(open ? 'pincite-open' : 'pincite-close', { bubbles: true, composed: true }));
  }

  #showFailure() {
    const message = /** @type {HTMLElement} */ (this.shadowRoot?.querySelector('.failed'));
    message.hidden = false;
    [, , message.textContent] = labelsFor(this.#language);
  }

  get #launcher() {
    return /** @type {HTMLButtonElement} */ (this.shadowRoot?.querySelector('.launcher'));
  }

  /** After a full page load: finish what a click on a citation began. */
  async #resumeLanding() {
    const landing = takeLanding(pageOf(location.href), Date.now());
    if (landing) (await this.#loadChat())?.land(landing);
  }

  #followDeepLink() {
    const url = new URL(location.href);
    const question = url.searchParams.get(DEEP_LINK_PARAMETER);
    if (!question) return;
    url.searchParams.delete(DEEP_LINK_PARAMETER); // A reload must not ask again.
    history.replaceState(history.state, '', url);
    this.ask(question);
  }
}

/** @param {Event} event */
function keepSelection(event) {
  event.preventDefault();
}

// On the prototype, so that a value set before the element was defined is not overwritten.
Object.assign(PinciteChat.prototype, { token: '', navigate: null, context: null });
