/*! Includes streaming-markdown (c) Damian Tarnawski and eventsource-parser (c) Espen Hovlandsdal; MIT licence. */
import { createApi } from '../core/api.js';
import { breathe } from '../core/breathe.js';
import { createHistory, MAX_QUESTIONS } from '../core/history.js';
import { loadStrings } from '../core/i18n.js';
import { isModifiedClick, ownUrl, pageOf, safeUrl } from '../core/links.js';
import { takeLanding } from '../core/pending-landing.js';
import { createSafeStorage } from '../core/storage.js';
import { h, icon } from '../dom.js';
import { ownStrings } from '../launcher/own-strings.js';
import { chatStyles } from '../styles/chat.js';
import { sheet } from '../styles/css.js';
import { copyButton } from './clipboard.js';
import { createComposer } from './composer.js';
import { Conversation } from './conversation.js';
import { clearCitation } from './highlight.js';
import { DOCK, PAGE } from './icons.js';
import { createPanel } from './panel.js';
import { createRoom } from './room.js';
import { createSelectionMode } from './selection-mode.js';
import { scopeText } from './scope-text.js';
import { nameScope, readScope, readSettings } from './site.js';
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
  const { host, language } = environment;
  if (host.strings || host.matches(CHECKED)) import('./check-settings.js').then(({ checkSettings }) => checkSettings(host), () => {});
  const own = host.matches(OWN_MACHINE) && await import('./own-machine.js');
  const chat = new ChatController(environment, await loadStrings(language, ownStrings(host)), own);
  if (chat.frameChoice.get()) await chat.loadFrame(); // The panel opens where it belongs.
  await breathe(); // Before it is opened, which lays it out.
  return chat;
}

/** A host whose settings may be wrong: who made the page is told in the console. The usual addresses need no look. */
const CHECKED = '[strings],[position],[consent-url],[contact]:not([contact^="/"],[contact^=http],[contact^=mailto]),'
  + '[search-url]:not([search-url^="/"],[search-url^=http])';

/** A host some of whose answering is done on the reader's machine. Without that part there is no chat: it may keep words here. */
const OWN_MACHINE = '[embedder],[send],[answers]';

/** From this many kept questions on the reader is told that the oldest will go. */
const NEARLY_FULL = MAX_QUESTIONS - 2;

/** Imported anew each time, so that what could not be had once can be had later. */
const loadEarlier = () => import('./earlier.js');

/** Null when it cannot be had; a link is then what the browser makes of it. Most who open the chat follow no citation at once. */
const loadLanding = () => import('../landing/land.js').catch(() => null);

/** Connects the parts: what the reader does in one changes the others. */
class ChatController {
  /**
   * @param {ChatEnvironment} environment
   * @param {import('../core/i18n.js').Translate} t
   * @param {false | typeof import('./own-machine.js')} own
   */
  constructor(environment, t, own) {
    const { host, root } = environment;
    this.environment = environment;
    this.host = host;
    this.t = t;
    this.settings = readSettings(host, t('theDocs'));
    const storage = this.storage = createSafeStorage(() => localStorage);
    this.history = createHistory({ storage, key: `${this.settings.storagePrefix}:history` });
    this.api = createSidecar(host, this.settings, storage);
    this.composer = createComposer({ t, site: this.settings.site, onAsk: (query) => this.ask(query),
      onStop: () => this.conversation.stop(), onMode: (mode) => this.#chooseMode(mode) });
    this.panel = createPanel({ t, site: this.settings.site, composer: this.composer.element,
      actions: { onClose: () => this.close(), onNew: () => this.#startNew(), onHistory: () => this.#showHistory(),
        onSearch: host.hasAttribute('search') && (() => this.search()) } });
    const frameKey = `${this.settings.storagePrefix}:frame`;
    this.frameChoice = { get: () => storage.get(frameKey), set: (/** @type {string} */ choice) => storage.set(frameKey, choice) };
    /** @type {Promise<import('../frame/frame.js').Frame | null> | null} */
    this.frame = null;
    this.dock = h('button', { type: 'button', class: 'icon-button dock', 'aria-label': t('dock'), title: t('dock') }, icon(DOCK));
    this.panel.element.querySelector('.header')?.lastElementChild?.before(this.#copyPage(), this.dock);
    this.room = createRoom(this.panel.element);
    this.mode = createSelectionMode({ composer: this.composer, room: this.room, last: environment.selection.last, t });
    own && own.useOwnMachine(this);
    this.conversation = this.#createConversation();

    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet(chatStyles)];
    root.firstElementChild?.append(this.panel.element);
    addEventListener('storage', () => this.panel.isHistoryShown() && this.#showHistory()); // Another tab changed it.
    this.#resume(this.history.current()?.id ?? null);
  }

  /** A button that copies the page, where pages are there as Markdown. */
  #copyPage() {
    const { t, panel, settings: { markdown, baseUrl } } = this;
    return markdown ? copyButton({ label: t('copyPage'), confirmation: t('copied'), symbol: PAGE, announce: panel.announce,
      text: () => import('./page-copy.js').then(({ pageMarkdown }) => pageMarkdown(baseUrl)), onFailure: (why) => this.#hint(why) }) : '';
  }

  /** What docks and sizes the panel, where there is room for that; without it the panel stands and is as it is made. */
  loadFrame() {
    if (this.panel.isSheet()) return null;
    const { panel: { element: panel }, dock, t, frameChoice: kept } = this;
    return this.frame ??= import('../frame/frame.js').then(({ createFrame }) => createFrame({ panel, dock, t, kept }), () => this.frame = null);
  }

  #createConversation() {
    const { api, history, panel, mode, composer, settings, host } = this;
    return new Conversation({ api, history, panel, mode, onBusy: composer.setBusy, onSettled: (turn) => this.#settle(turn),
      onAsked: ({ id, mode: about }) => this.#dispatch('pincite-question', { messageId: id, mode: about }),
      place: () => ({ scope: readScope(host), page_url: location.pathname, build_id: settings.buildId }),
      context: {
        t: this.t,
        language: this.environment.language,
        site: settings.site,
        contact: settings.contact && safeUrl(settings.contact, document.baseURI),
        searchUrl: (query) => searchUrl(settings, query),
        hrefOf,
        announce: panel.announce,
        follow: panel.follow,
        onCopyFailure: (why) => this.#hint(why),
        onCode: (body) => {
          const { Prism, hljs } = /** @type {any} */ (window);
          if (host.highlight ?? Prism ?? hljs) import('./code-colours.js').then(({ colourCode }) => colourCode(body, host), () => {}); // It stays plain.
        },
        onFollow: (event, place, words) => this.#follow(event, place, words),
        onRephrase: composer.fill,
        onWholeSite: (query) => this.#askWholeSite(query),
        onVote: (turn, vote) => {
          if (!vote.reason) this.#dispatch('pincite-vote', { messageId: turn.id, vote: vote.vote }); // A reason belongs to a vote told already.
          return api.feedback(turn.id, vote).then((counted) => {
            panel.announce(this.t('thanks'));
            return counted;
          }, () => null);
        },
      } });
  }

  /** @param {{focus?: boolean, question?: string}} [options] */
  open({ focus = true, question } = {}) {
    const selection = this.environment.selection.live();
    this.#showScope();
    this.panel.open();
    this.loadFrame()?.then((frame) => frame?.show(this.panel.element.open));
    this.environment.onToggle(true);
    if (selection && this.mode.accepts(selection)) this.mode.set(selection);
    this.mode.offer();
    if (question) this.composer.fill(question);
    if (focus) this.composer.focus();
  }

  close() {
    if (!this.panel.element.open) return;
    this.panel.close();
    this.frame?.then((frame) => frame?.show(false));
    this.mode.set(null);
    this.environment.onToggle(false);
  }

  search() {
    this.open({ focus: false });
    import('../search/search.js').then(({ openSearch }) => openSearch(this), () => this.#hint('partFailed'));
  }

  /** @param {string} query */
  async ask(query) {
    if (!await this.#consents()) return this.composer.fill(query);
    if (this.conversation.isEmpty()) this.panel.log.replaceChildren();
    this.composer.clear();
    if (!await this.conversation.ask(query)) this.composer.fill(query); // Another answer is still coming.
  }

  /** Whether the reader has agreed to what the site says of questions, in the words it says it in now. */
  #hasConsent() {
    const { consent, consentUrl, storagePrefix } = this.settings;
    const words = consent + consentUrl;
    return !words || this.storage.get(`${storagePrefix}:consent`) === words;
  }

  /** @returns {Promise<boolean | undefined>} */
  async #consents() {
    if (this.#hasConsent()) return true;
    const module = await import('./consent.js').catch(() => this.#hint('partFailed'));
    return module?.askConsent(this.panel.log, this);
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

  /** After a full page load: finish what a click on a citation began, or type in the question of the page's address. */
  async resumeLanding() {
    const landing = takeLanding(pageOf(location.href), Date.now());
    if (!landing) return import('./deep-link.js').then(({ openLink }) => openLink(this));
    if (!this.panel.isSheet() && this.history.current()) this.open({ focus: false });
    await this.#landBeside(landing);
  }

  #showScope() {
    this.panel.setScope(scopeText(nameScope(readScope(this.host)), this.environment.language));
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
    const { buildId } = settings;
    if (!this.#hasConsent() || session.turns.every((turn) => turn.buildId === buildId)) return;
    const earlier = await loadEarlier().catch(() => null);
    const fresh = await earlier?.refreshCitations(session, { api, buildId, scope: readScope(this.host) });
    if (fresh && fresh !== session && conversation.isIdleIn(session)) conversation.load(fresh);
  }

  #showWelcome() {
    const { t, settings, panel } = this;
    const health = this.history.health();
    const trouble = health === 'ok' ? null : t(`storage_${health}`);
    const questions = this.#hasConsent()
      ? this.api.questions(location.pathname, readScope(this.host)).catch(() => []) // Then it offers none.
      : Promise.resolve([]);
    panel.log.replaceChildren(welcomeView({ t, site: settings.site, trouble, questions, onAsk: (query) => this.ask(query) }));
  }

  #startNew() {
    this.history.start();
    this.conversation.load(null);
    this.#showWelcome();
    this.panel.showHistory(null);
    this.composer.focus();
  }

  async #showHistory() {
    const { t, environment, history, panel, conversation } = this;
    panel.showHistory(await loadEarlier().then(({ earlierView }) => earlierView({ t, environment, history, hrefOf, announce: panel.announce,
      currentId: conversation.sessionId(),
      onResume: (id) => {
        this.#resume(id);
        panel.showHistory(null);
        this.composer.focus();
      },
      onRemoved: (id) => this.#forget(id),
    })).catch(() => [h('p', { role: 'alert' }, t('partFailed'))]));
  }

  /** @param {string | null} id  The conversation that is gone; the one on screen goes with it. */
  async #forget(id) {
    if (id === this.conversation.sessionId()) {
      this.conversation.load(null);
      this.#showWelcome();
    }
    await this.#showHistory();
    this.panel.focusHistory();
  }

  /**
   * @param {MouseEvent} event
   * @param {import('./citation-view.js').Place} place
   * @param {string[]} words  What is cited there.
   */
  async #follow(event, place, words) {
    const url = hrefOf(place);
    if (!url || isModifiedClick(event)) return;
    event.preventDefault();
    if (!this.#dispatch('pincite-citation', { url, stableId: place.stable_id }, true)) return;
    /** @type {HTMLElement | null} */ (this.environment.root.activeElement)?.blur(); // A field that has it again keeps it.
    const module = await loadLanding();
    if (!module) return location.assign(url);
    await module.travel({ url, words, baseUrl: this.settings.baseUrl, navigate: this.host.navigate,
      arrive: (landing) => this.#arrive(landing) });
  }

  /** @param {Landing} landing */
  async #arrive(landing) {
    if (this.panel.isSheet()) this.close(); // It would cover the place.
    await this.#landBeside(landing);
  }

  /** @param {Landing} landing */
  async #landBeside(landing) {
    await (await loadLanding())?.land(landing, this.room.forCitation);
  }

  /** @param {import('../types.js').Turn} turn */
  #settle(turn) {
    const kept = this.history.sessions().flatMap(({ turns }) => turns).length;
    if (kept >= NEARLY_FULL) loadEarlier().then(({ nearlyFull }) => this.composer.hint(nearlyFull(this.t, kept)), () => {});
    this.#notifySite(turn);
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

/**
 * Of another origin only where the sidecar asks several sites, whose addresses are its operator's.
 * @param {Pick<Citation, 'url' | 'site'>} citation
 */
function hrefOf(citation) {
  return citation.url ? (citation.site ? safeUrl : ownUrl)(citation.url, document.baseURI) : null;
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
