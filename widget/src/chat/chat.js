/*! Includes streaming-markdown (c) Damian Tarnawski and eventsource-parser (c) Espen Hovlandsdal; MIT licence. */
import { createApi } from '../core/api.js';
import { breathe } from '../core/breathe.js';
import { createHistory } from '../core/history.js';
import { loadStrings } from '../core/i18n.js';
import { safeUrl } from '../core/links.js';
import { createSafeStorage } from '../core/storage.js';
import { chatStyles } from '../styles/chat.js';
import { sheet } from '../styles/css.js';
import { createComposer } from './composer.js';
import { scopeText } from './confidence-view.js';
import { Conversation } from './conversation.js';
import { clearCitation } from './highlight.js';
import { historyView } from './history-view.js';
import { isModifiedClick, land, travel } from './landing.js';
import { createPanel } from './panel.js';
import { createRoom } from './room.js';
import { saveSession } from './save.js';
import { createSelectionMode } from './selection-mode.js';
import { nameScope, readScope, readSettings } from './site.js';
import { refreshCitations } from './stale-citations.js';
import { welcomeView } from './welcome.js';

/**
 * @typedef {import('../types.js').ChatEnvironment} ChatEnvironment
 * @typedef {import('../types.js').Citation} Citation
 * @typedef {import('../types.js').Landing} Landing
 */

/**
 * Put the chat together and into the element's shadow root.
 * @param {ChatEnvironment} environment
 * @returns {Promise<import('../types.js').Chat>}
 */
export async function createChat(environment) {
  const chat = new ChatController(environment, await loadStrings(environment.language));
  await breathe(); // Before it is opened, which lays it out.
  return chat;
}

/** Connects the parts: what the reader does in one changes the others. */
class ChatController {
  /**
   * @param {ChatEnvironment} environment
   * @param {import('../core/i18n.js').Translate} t
   */
  constructor(environment, t) {
    const { host, root } = environment;
    this.environment = environment;
    this.host = host;
    this.t = t;
    this.settings = readSettings(host, t('theDocs'));
    const storage = createSafeStorage(() => localStorage);
    this.history = createHistory({ storage, key: `${this.settings.storagePrefix}:history` });
    this.api = createSidecar(host, this.settings, storage);
    this.composer = createComposer({ t, site: this.settings.site, onAsk: (query) => this.ask(query),
      onStop: () => this.conversation.stop(), onMode: (mode) => this.#chooseMode(mode) });
    this.panel = createPanel({ t, site: this.settings.site, composer: this.composer.element,
      actions: { onClose: () => this.close(), onNew: () => this.#startNew(), onHistory: () => this.#showHistory() } });
    this.room = createRoom(this.panel.element);
    this.mode = createSelectionMode({ composer: this.composer, room: this.room, t });
    this.conversation = this.#createConversation();

    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet(chatStyles)];
    root.firstElementChild?.append(this.panel.element);
    addEventListener('storage', () => this.panel.isHistoryShown() && this.#showHistory()); // Another tab changed it.
    this.#resume(this.history.current()?.id ?? null);
  }

  #createConversation() {
    const { api, history, panel, mode, composer, settings, host } = this;
    return new Conversation({ api, history, panel, mode, onBusy: composer.setBusy, onSettled: (turn) => this.#notifySite(turn),
      place: () => ({ scope: readScope(host), page_url: location.pathname, build_id: settings.buildId }),
      context: {
        t: this.t,
        language: this.environment.language,
        site: settings.site,
        contact: settings.contact && safeUrl(settings.contact, document.baseURI),
        searchUrl: (query) => searchUrl(settings, query),
        hrefOf,
        announce: panel.announce,
        onFollow: (event, citation) => this.#follow(event, citation),
        onRephrase: composer.fill,
        onWholeSite: (query) => this.#askWholeSite(query),
        onVote: (turn, vote) => { api.feedback(turn.id, vote).then(() => panel.announce(this.t('thanks')), () => {}); },
      } });
  }

  /** @param {{focus?: boolean}} [options] */
  open({ focus = true } = {}) {
    const selection = this.environment.selection.live();
    this.#showScope();
    this.panel.open();
    this.environment.onToggle(true);
    if (selection && this.mode.accepts(selection)) this.mode.set(selection);
    if (focus) this.composer.focus();
  }

  close() {
    if (!this.panel.element.open) return;
    this.panel.close();
    this.mode.set(null);
    this.environment.onToggle(false);
  }

  /** @param {string} query */
  async ask(query) {
    if (this.conversation.isEmpty()) this.panel.log.replaceChildren();
    this.composer.clear();
    await this.conversation.ask(query);
  }

  /** @param {import('../types.js').CapturedSelection} selection */
  askAboutSelection(selection) {
    this.open({ focus: false });
    this.mode.set(selection);
    this.composer.focus();
  }

  routeChanged() {
    clearCitation();
    this.#showScope();
    if (this.mode.leavePage()) this.#hint('selectionGone');
    if (this.conversation.isEmpty()) this.#showWelcome();
  }

  /** @param {Landing} landing */
  async land(landing) {
    if (!this.panel.isSheet() && this.history.current()) this.open({ focus: false });
    await this.#landBeside(landing);
  }

  #showScope() {
    this.panel.setScope(scopeText(nameScope(readScope(this.host))));
  }

  /** @param {import('../core/i18n.js').StringKey} key */
  #hint(key) {
    this.composer.hint(this.t(key));
    this.panel.announce(this.t(key));
  }

  /** @param {string} query */
  async #askWholeSite(query) {
    this.mode.set(null);
    await this.ask(query);
  }

  /** @param {import('../types.js').Mode} chosen */
  #chooseMode(chosen) {
    const selection = chosen === 'selection' ? this.environment.selection.last() : null;
    this.mode.set(selection);
    if (chosen === 'selection' && !selection) this.#hint('selectFirst');
    this.composer.focus();
  }

  /**
   * Show a conversation; its citations are brought up to date as soon as the sidecar says where they are now.
   * @param {string | null} id  Null: none.
   */
  async #resume(id) {
    const { history, conversation, api, settings } = this;
    const session = history.sessions().find((candidate) => candidate.id === id) ?? null;
    conversation.load(session);
    if (!session) return this.#showWelcome();
    history.resume(session.id);
    const fresh = await refreshCitations(session, { api, buildId: settings.buildId, scope: readScope(this.host) });
    if (fresh !== session && conversation.isIdleIn(session)) conversation.load(fresh);
  }

  #showWelcome() {
    const { t, settings, panel } = this;
    const health = this.history.health();
    const trouble = health === 'ok' ? null : t(`storage_${health}`);
    const questions = this.api.questions(location.pathname, readScope(this.host)).catch(() => []); // Then it offers none.
    panel.log.replaceChildren(welcomeView({ t, site: settings.site, trouble, questions, onAsk: (query) => this.ask(query) }));
  }

  #startNew() {
    this.history.start();
    this.conversation.load(null);
    this.#showWelcome();
    this.panel.showHistory(null);
    this.composer.focus();
  }

  #showHistory() {
    const { history, conversation } = this;
    this.panel.showHistory(historyView(history.sessions(), {
      t: this.t,
      language: this.environment.language,
      currentId: conversation.sessionId(),
      onResume: (id) => {
        this.#resume(id);
        this.panel.showHistory(null);
        this.composer.focus();
      },
      onRemove: (id) => this.#forget(() => history.remove(id), id),
      onExport: (session) => saveSession(session, hrefOf, this.t),
      onClear: () => this.#forget(history.clear, conversation.sessionId()),
    }));
  }

  /**
   * @param {() => void} remove
   * @param {string | null} id  The conversation that is gone; the one on screen goes with it.
   */
  #forget(remove, id) {
    remove();
    if (id === this.conversation.sessionId()) {
      this.conversation.load(null);
      this.#showWelcome();
    }
    this.#showHistory();
  }

  /**
   * @param {MouseEvent} event
   * @param {Citation} citation
   */
  #follow(event, citation) {
    const url = hrefOf(citation);
    if (!url || isModifiedClick(event)) return;
    event.preventDefault();
    if (!this.#dispatch('pincite-citation', { url, stableId: citation.stable_id }, true)) return;
    travel({ url, excerpt: citation.excerpt ?? '', baseUrl: this.settings.baseUrl, navigate: this.host.navigate,
      arrive: (landing) => this.#arrive(landing) });
  }

  /** @param {Landing} landing */
  async #arrive(landing) {
    if (this.panel.isSheet()) this.close(); // It would cover the place.
    await this.#landBeside(landing);
  }

  /** @param {Landing} landing */
  async #landBeside(landing) {
    const place = await land(landing);
    if (place) this.room.forCitation(place);
  }

  /** @param {import('../types.js').Turn} turn */
  #notifySite({ id, mode, outcome, refusal, failure }) {
    this.#dispatch('pincite-answer', { messageId: id, mode, outcome, code: refusal?.code ?? failure?.code });
  }

  /**
   * @param {string} name
   * @param {object} detail
   * @param {boolean} [cancelable]
   * @returns {boolean} False when the site cancelled it.
   */
  #dispatch(name, detail, cancelable = false) {
    return this.host.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }));
  }
}

/** @param {Citation} citation */
function hrefOf(citation) {
  return citation.url ? safeUrl(citation.url, document.baseURI) : null;
}

/**
 * The site's own search for a question, when the site has named one.
 * @param {ReturnType<typeof readSettings>} settings
 * @param {string} query
 */
function searchUrl(settings, query) {
  const url = settings.searchUrl && safeUrl(settings.searchUrl, document.baseURI);
  return url && `${url}${url.includes('?') ? '&' : '?'}q=${encodeURIComponent(query)}`;
}

/**
 * @param {import('../types.js').ChatHost} host
 * @param {ReturnType<typeof readSettings>} settings
 * @param {import('../core/storage.js').SafeStorage} storage
 */
function createSidecar(host, { api, storagePrefix }, storage) {
  const key = `${storagePrefix}:reader`;
  return createApi({
    base: api,
    token: () => host.token,
    reader: { get: () => storage.get(key), set: (value) => storage.set(key, value) },
  });
}
