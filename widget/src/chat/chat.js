/*! Includes streaming-markdown (c) Damian Tarnawski and eventsource-parser (c) Espen Hovlandsdal; MIT licence. */
import { createApi } from '../core/api.js';
import { createHistory, MAX_QUESTIONS } from '../core/history.js';
import { loadStrings } from '../core/i18n.js';
import { isModifiedClick, pageOf, safeUrl, sameOriginUrl } from '../core/links.js';
import { takeLanding } from '../core/pending-landing.js';
import { createSafeStorage } from '../core/storage.js';
import { yieldToMain } from '../core/yield-to-main.js';
import { h, icon } from '../dom.js';
import { customStrings } from '../launcher/labels.js';
import { chatStyles } from '../styles/chat.js';
import { sheet } from '../styles/css.js';
import { copyButton } from './clipboard.js';
import { createComposer } from './composer.js';
import { Conversation } from './conversation.js';
import { clearCitation } from './highlight.js';
import { DOCK, PAGE } from './icons.js';
import { createPanelLayout } from './panel-layout.js';
import { createPanel } from './panel.js';
import { createSelectionMode } from './selection-mode.js';
import { nameScope, readScope, readSettings, scopeText } from './site.js';

/**
 * @import {CapturedSelection, Chat, ChatEnvironment, Citation, Landing, Mode, Turn} from '../types.js'
 * @import {StringKey, Translate} from '../core/i18n.js'
 * @import {Frame} from '../frame/frame.js'
 * @import {Place} from './citation-view.js'
 */

/** Matches a host whose settings may be invalid. The usual addresses need no check. */
const MAY_BE_INVALID = '[strings],[position],[consent-url],[contact]:not([contact^="/"],[contact^=http],[contact^=mailto]),'
  + '[search-url]:not([search-url^="/"],[search-url^=http])';

/** Matches a host that embeds or answers questions in the browser. If that part cannot be loaded, nothing may be sent. */
const BROWSER_MODE = '[embedder],[send],[answers]';

/** From this many stored questions on, the reader is warned that the oldest will be dropped. */
const NEARLY_FULL = MAX_QUESTIONS - 2;

/** Questions in an empty conversation. */
const MAX_SUGGESTIONS = 3;

/** Each call imports again, so that a failed download is retried. */
const loadHistoryView = () => import('./history-view.js');

/** Null if it cannot be loaded: the browser then follows the link. Few readers follow a citation at once. */
const loadLanding = () => import('../landing/land.js').catch(() => null);

/** Create the chat in the element's shadow root. @param {ChatEnvironment} environment @returns {Promise<Chat>} */
export async function createChat(environment) {
  const { host, language } = environment;
  if (host.strings || host.matches(MAY_BE_INVALID)) import('./check-settings.js').then(({ checkSettings }) => checkSettings(host), () => {});
  const browserMode = host.matches(BROWSER_MODE) && await import('./browser-embedding.js');
  const chat = new ChatController(environment, await loadStrings(language, customStrings(host)), browserMode);
  if (chat.frameChoice.get()) await chat.loadFrame(); // So that the panel opens where the reader has placed it.
  await yieldToMain(); // Opening the chat lays out the page.
  return chat;
}

/** Connects the parts of the chat. */
class ChatController {
  /** @param {ChatEnvironment} environment @param {Translate} t @param {false | typeof import('./browser-embedding.js')} browserMode */
  constructor(environment, t, browserMode) {
    const { host, root } = environment;
    this.environment = environment;
    this.host = host;
    this.t = t;
    this.settings = readSettings(host, t('theDocs'));
    const { site, storagePrefix } = this.settings;
    const storage = this.storage = createSafeStorage(() => localStorage);
    const stored = (/** @type {string} */ name) => ({ get: () => storage.get(`${storagePrefix}:${name}`),
      set: (/** @type {string} */ value) => storage.set(`${storagePrefix}:${name}`, value) });
    this.history = createHistory({ storage, key: `${storagePrefix}:history` });
    this.api = createApi({ base: this.settings.api, token: () => host.token, reader: stored('reader') });
    this.composer = createComposer({ t, site, onAsk: (query) => this.ask(query),
      onStop: () => this.conversation.stop(), onMode: (mode) => this.#chooseMode(mode) });
    this.panel = createPanel({ t, site, composer: this.composer.element,
      actions: { onClose: () => this.close(), onNew: () => this.#startNew(), onHistory: () => this.#showHistory(),
        onSearch: host.hasAttribute('search') && (() => this.search()) } });
    this.frameChoice = stored('frame');
    /** @type {Promise<Frame | null> | null} */
    this.frame = null;
    this.dock = h('button', { type: 'button', class: 'icon-button dock', 'aria-label': t('dock'), title: t('dock') }, icon(DOCK));
    this.panel.element.querySelector('.header')?.lastElementChild?.before(this.#copyPageButton(), this.dock);
    this.layout = createPanelLayout(this.panel.element);
    this.mode = createSelectionMode({ composer: this.composer, layout: this.layout, last: environment.selection.last, t });
    browserMode && browserMode.setUpBrowserMode(this);
    this.conversation = this.#createConversation();

    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet(chatStyles)];
    root.firstElementChild?.append(this.panel.element);
    addEventListener('storage', () => this.panel.isHistoryShown() && this.#showHistory()); // Another tab changed it.
    this.#resume(this.history.current()?.id ?? null);
  }

  #copyPageButton() {
    const { t, panel, settings: { markdown, baseUrl } } = this;
    return markdown ? copyButton({ label: t('copyPage'), confirmation: t('copied'), symbol: PAGE, announce: panel.announce,
      text: () => import('./page-copy.js').then(({ pageMarkdown }) => pageMarkdown(baseUrl)), onFailure: (reason) => this.#hint(reason) }) : '';
  }

  /** Load the module that docks and resizes the panel. Without it, the panel keeps its default place and size. */
  loadFrame() {
    if (this.panel.isSheet()) return null;
    const { panel: { element: panel }, dock, t, frameChoice: stored } = this;
    return this.frame ??= import('../frame/frame.js').then(({ createFrame }) => createFrame({ panel, dock, t, stored }), () => this.frame = null);
  }

  #createConversation() {
    const { api, history, panel, mode, composer, settings, host, t } = this;
    const searchPage = settings.searchUrl && safeUrl(settings.searchUrl, document.baseURI);
    return new Conversation({ api, history, panel, mode, onBusy: composer.setBusy, onSettled: (turn) => this.#settle(turn),
      onAsked: ({ id, mode: about }) => this.#dispatch('pincite-question', { messageId: id, mode: about }),
      place: () => ({ scope: readScope(host), page_url: location.pathname, build_id: settings.buildId }),
      context: {
        t,
        language: this.environment.language,
        site: settings.site,
        contact: settings.contact && safeUrl(settings.contact, document.baseURI),
        searchUrl: (query) => searchPage && `${searchPage}${searchPage.includes('?') ? '&' : '?'}q=${encodeURIComponent(query)}`,
        hrefOf,
        announce: panel.announce,
        follow: panel.follow,
        onCopyFailure: (reason) => this.#hint(reason),
        onCode: (body) => {
          const { Prism, hljs } = /** @type {any} */ (window);
          if (host.highlight ?? Prism ?? hljs) import('./code-colours.js').then(({ colourCode }) => colourCode(body, host), () => {});
        },
        onFollow: (event, place, words) => this.#follow(event, place, words),
        onRephrase: composer.fill,
        onWholeSite: (query) => {
          mode.set(null);
          this.ask(query);
        },
        onVote: async (turn, vote) => {
          // A vote with a reason repeats an earlier one.
          if (!vote.reason) this.#dispatch('pincite-vote', { messageId: turn.id, vote: vote.vote });
          const counted = await api.feedback(turn.id, vote).catch(() => null);
          if (counted) panel.announce(t('thanks'));
          return counted;
        },
      } });
  }

  /** @param {{focus?: boolean, question?: string}} [options] */
  open({ focus = true, question } = {}) {
    const selection = this.environment.selection.live();
    this.#showScope();
    this.panel.open();
    this.loadFrame()?.then((frame) => frame?.update(this.panel.element.open));
    this.environment.onToggle(true);
    if (selection && this.mode.accepts(selection)) this.mode.set(selection);
    this.mode.offer();
    if (question) this.composer.fill(question);
    if (focus) this.composer.focus();
  }

  close() {
    if (!this.panel.element.open) return;
    this.panel.close();
    this.frame?.then((frame) => frame?.update(false));
    this.mode.set(null);
    this.environment.onToggle(false);
  }

  search() {
    this.open({ focus: false });
    import('../search/search.js').then(({ openSearch }) => openSearch(this), () => this.#hint('partFailed'));
  }

  /** @param {string} query */
  async ask(query) {
    if (!await this.#requestConsent()) return this.composer.fill(query);
    if (this.conversation.isEmpty()) this.panel.log.replaceChildren();
    this.composer.clear();
    if (!await this.conversation.ask(query)) this.composer.fill(query); // Another answer is still arriving.
  }

  /** Return whether the reader has agreed to the site's current text about questions, or the site has none. */
  #hasConsent() {
    const { consent, consentUrl, storagePrefix } = this.settings;
    const terms = consent + consentUrl;
    return !terms || this.storage.get(`${storagePrefix}:consent`) === terms;
  }

  async #requestConsent() {
    if (this.#hasConsent()) return true;
    const module = await import('./consent.js').catch(() => this.#hint('partFailed'));
    return module?.askConsent(this.panel.log, this);
  }

  /** @param {CapturedSelection} selection */
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

  /** After a page load, land on the followed citation, or type in the question of the page's address. */
  async resumeLanding() {
    const landing = takeLanding(pageOf(location.href), Date.now());
    if (!landing) return import('./deep-link.js').then(({ openLink }) => openLink(this));
    if (!this.panel.isSheet() && this.history.current()) this.open({ focus: false });
    await this.#land(landing);
  }

  #showScope() {
    this.panel.setScope(scopeText(nameScope(readScope(this.host)), this.environment.language));
  }

  /** @param {StringKey} key */
  #hint(key) {
    this.composer.hint(this.t(key));
    this.panel.announce(this.t(key));
  }

  /** @param {Mode} mode */
  #chooseMode(mode) {
    const selection = mode === 'selection' ? this.environment.selection.last() : null;
    this.mode.set(selection);
    if (mode === 'selection' && !selection) this.#hint('selectFirst');
    this.composer.focus();
  }

  /** Show a conversation. Its citations are updated when the sidecar has resolved their IDs. @param {string | null} id */
  async #resume(id) {
    const { history, conversation, api, settings: { buildId } } = this;
    const session = history.sessions().find((candidate) => candidate.id === id) ?? null;
    conversation.load(session);
    if (!session) return this.#showWelcome();
    history.resume(session.id);
    if (!this.#hasConsent() || session.turns.every((turn) => turn.buildId === buildId)) return;
    const module = await loadHistoryView().catch(() => null);
    const fresh = await module?.refreshCitations(session, { api, buildId, scope: readScope(this.host) });
    if (fresh && fresh !== session && conversation.isIdleIn(session)) conversation.load(fresh);
  }

  #showWelcome() {
    const { t, settings: { site }, panel } = this;
    const health = this.history.health();
    const view = h('div', { class: 'welcome', part: 'welcome' },
      h('p', { class: 'welcome-title' }, t('welcome')),
      h('p', {}, t('welcomeText', { site })),
      health !== 'ok' && h('p', { class: 'notice' }, t(`storage_${health}`)));
    panel.log.replaceChildren(view);
    if (!this.#hasConsent()) return;
    this.api.questions(location.pathname, readScope(this.host)).then((questions) => {
      if (questions.length > 0) view.append(h('p', { class: 'welcome-label' }, t('suggestionsLabel')));
      view.append(...questions.slice(0, MAX_SUGGESTIONS).map((question) => h('button', { type: 'button', class: 'suggestion',
        part: 'suggestion', dir: 'auto', onclick: () => this.ask(question) }, question)));
    }, () => {}); // The welcome works without suggestions.
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
    panel.showHistory(await loadHistoryView().then(({ historyView }) => historyView({
      t, environment, history, hrefOf, announce: panel.announce, currentId: conversation.sessionId(),
      onResume: (id) => {
        this.#resume(id);
        panel.showHistory(null);
        this.composer.focus();
      },
      onRemoved: async (id) => {
        if (id === conversation.sessionId()) { // The removed conversation is on screen.
          conversation.load(null);
          this.#showWelcome();
        }
        await this.#showHistory();
        panel.focusHistory();
      },
    })).catch(() => [h('p', { role: 'alert' }, t('partFailed'))]));
  }

  /** @param {MouseEvent} event @param {Place} place @param {string[]} words  The cited words. */
  async #follow(event, place, words) {
    const url = hrefOf(place);
    if (!url || isModifiedClick(event)) return;
    event.preventDefault();
    if (!this.#dispatch('pincite-citation', { url, stableId: place.stable_id }, true)) return;
    /** @type {HTMLElement | null} */ (this.environment.root.activeElement)?.blur(); // The landing leaves a focused field alone.
    const module = await loadLanding();
    if (!module) return location.assign(url);
    await module.travel({ url, words, baseUrl: this.settings.baseUrl, navigate: this.host.navigate,
      arrive: async (landing) => {
        if (this.panel.isSheet()) this.close(); // It would cover the place.
        await this.#land(landing);
      } });
  }

  /** @param {Landing} landing */
  async #land(landing) {
    await (await loadLanding())?.land(landing, this.layout.uncoverCitation);
  }

  /** @param {Turn} turn */
  #settle({ id, mode, outcome, refusal, failure }) {
    const count = this.history.sessions().flatMap(({ turns }) => turns).length;
    if (count >= NEARLY_FULL) loadHistoryView().then(({ nearlyFullText }) => this.composer.hint(nearlyFullText(this.t, count)), () => {});
    this.#dispatch('pincite-answer', { messageId: id, mode, outcome, code: refusal?.code ?? failure?.code });
  }

  /** @param {string} name @param {object} detail @param {boolean} [cancelable] @returns {boolean} False if the site cancelled the event. */
  #dispatch(name, detail, cancelable = false) {
    return this.host.dispatchEvent(new CustomEvent(name, { detail, cancelable, bubbles: true, composed: true }));
  }
}

/**
 * Return a citation's address. It may leave the page's origin only if the sidecar serves several sites, whose operator
 * configured them.
 * @param {Pick<Citation, 'url' | 'site'>} citation
 */
function hrefOf({ url, site }) {
  return url ? (site ? safeUrl : sameOriginUrl)(url, document.baseURI) : null;
}
