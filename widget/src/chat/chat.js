/*! Includes streaming-markdown (c) Damian Tarnawski and eventsource-parser (c) Espen Hovlandsdal; MIT licence. */
import { createApi } from '../core/api.js';
import { createHistory } from '../core/history.js';
import { loadStrings } from '../core/i18n.js';
import { safeUrl } from '../core/links.js';
import { createSafeStorage } from '../core/storage.js';
import { chatStyles } from '../styles/chat.js';
import { sheet } from '../styles/css.js';
import { createComposer } from './composer.js';
import { scopeText } from './confidence-view.js';
import { createConversation } from './conversation.js';
import { clearCitation } from './highlight.js';
import { historyView } from './history-view.js';
import { isModifiedClick, land, travel } from './landing.js';
import { createPanel } from './panel.js';
import { saveSession } from './save.js';
import { createSelectionMode } from './selection-mode.js';
import { readScope, readSettings } from './site.js';
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
  const { host, root, language } = environment;
  const t = await loadStrings(language);
  const settings = readSettings(host, t('theDocs'));
  const storage = createSafeStorage(() => localStorage);
  const history = createHistory({ storage, key: `${settings.storagePrefix}:history` });
  const api = createSidecar(host, settings, storage);

  const composer = createComposer({ t, site: settings.site, onAsk: ask, onStop: () => conversation.stop(), onMode: chooseMode });
  const panel = createPanel({ t, site: settings.site, composer: composer.element,
    actions: { onClose: close, onNew: startNew, onHistory: () => showHistory() } });
  const mode = createSelectionMode({ composer, t });
  const conversation = createConversation({ api, history, panel, mode, place, onBusy: composer.setBusy, onSettled: notifySite,
    context: { t, language, site: settings.site, contact: settings.contact && safeUrl(settings.contact, document.baseURI),
      searchUrl, hrefOf, onFollow: follow, announce: panel.announce, onRephrase: composer.fill, onWholeSite: askWholeSite,
      onVote: (turn, vote) => { api.feedback(turn.id, vote).then(() => panel.announce(t('thanks')), () => {}); } } });

  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet(chatStyles)];
  root.firstElementChild?.append(panel.element);
  addEventListener('storage', () => panel.isHistoryShown() && showHistory()); // Another tab changed it.
  resume(history.current()?.id ?? null);

  function place() {
    return { scope: readScope(host), page_url: location.pathname, build_id: settings.buildId };
  }

  /** @param {Citation} citation */
  function hrefOf(citation) {
    return citation.url ? safeUrl(citation.url, document.baseURI) : null;
  }

  /** @param {string} query */
  function searchUrl(query) {
    const url = settings.searchUrl && safeUrl(settings.searchUrl, document.baseURI);
    return url && `${url}${url.includes('?') ? '&' : '?'}q=${encodeURIComponent(query)}`;
  }

  /** @param {string} query */
  async function ask(query) {
    if (conversation.isEmpty()) panel.log.replaceChildren();
    composer.clear();
    await conversation.ask(query);
  }

  /** @param {string} query */
  async function askWholeSite(query) {
    mode.set(null);
    await ask(query);
  }

  /** @param {{focus?: boolean}} [options] */
  function open({ focus = true } = {}) {
    const selection = environment.selection.live();
    panel.setScope(scopeText({ ...readScope(host) }));
    panel.open();
    environment.onToggle(true);
    if (selection && mode.accepts(selection)) mode.set(selection);
    if (focus) composer.focus();
  }

  function close() {
    if (!panel.element.open) return;
    panel.close();
    mode.set(null);
    environment.onToggle(false);
  }

  /** @param {import('../types.js').Mode} chosen */
  function chooseMode(chosen) {
    const selection = chosen === 'selection' ? environment.selection.last() : null;
    mode.set(selection);
    if (chosen === 'selection' && !selection) panel.announce(composer.hint(t('selectFirst')));
    composer.focus();
  }

  /**
   * Show a conversation; its citations are brought up to date as soon as the sidecar says where they are now.
   * @param {string | null} id  Null: none.
   */
  async function resume(id) {
    const session = history.sessions().find((candidate) => candidate.id === id) ?? null;
    conversation.load(session);
    if (!session) return showWelcome();
    history.resume(session.id);
    const fresh = await refreshCitations(session, { api, buildId: settings.buildId, scope: readScope(host) });
    if (fresh !== session && conversation.isIdleIn(session)) conversation.load(fresh);
  }

  function showWelcome() {
    const health = history.health();
    const trouble = health === 'ok' ? null : t(`storage_${health}`);
    panel.log.replaceChildren(welcomeView({ t, site: settings.site, trouble, onAsk: ask }));
  }

  function startNew() {
    history.start();
    conversation.load(null);
    showWelcome();
    panel.showHistory(null);
    composer.focus();
  }

  function showHistory() {
    panel.showHistory(historyView(history.sessions(), {
      t,
      language,
      currentId: conversation.sessionId(),
      onResume: (id) => {
        resume(id);
        panel.showHistory(null);
        composer.focus();
      },
      onRemove: (id) => forget(() => history.remove(id), id),
      onExport: (session) => saveSession(session, hrefOf),
      onClear: () => forget(() => history.clear(), conversation.sessionId()),
    }));
  }

  /**
   * @param {() => void} remove
   * @param {string | null} id  The conversation that is gone; the one on screen goes with it.
   */
  function forget(remove, id) {
    remove();
    if (id === conversation.sessionId()) {
      conversation.load(null);
      showWelcome();
    }
    showHistory();
  }

  /**
   * @param {MouseEvent} event
   * @param {Citation} citation
   */
  function follow(event, citation) {
    const url = hrefOf(citation);
    if (!url || isModifiedClick(event)) return;
    event.preventDefault();
    const detail = { url, stableId: citation.stable_id };
    if (!host.dispatchEvent(new CustomEvent('pincite-citation', { detail, bubbles: true, composed: true, cancelable: true }))) return;
    travel({ url, excerpt: citation.excerpt ?? '', baseUrl: settings.baseUrl, navigate: host.navigate, arrive });
  }

  /** @param {Landing} landing */
  async function arrive(landing) {
    if (panel.isSheet()) close(); // It would cover the place.
    await land(landing);
  }

  /** @param {import('../types.js').Turn} turn */
  function notifySite(turn) {
    const detail = { messageId: turn.id, mode: turn.mode, outcome: turn.outcome, code: turn.refusal?.code ?? turn.failure?.code };
    host.dispatchEvent(new CustomEvent('pincite-answer', { detail, bubbles: true, composed: true }));
  }

  return {
    open,
    close,
    ask,
    askAboutSelection(selection) {
      open({ focus: false });
      mode.set(selection);
      composer.focus();
    },
    routeChanged() {
      clearCitation();
      panel.setScope(scopeText({ ...readScope(host) }));
      if (mode.leavePage()) panel.announce(composer.hint(t('selectionGone')));
      if (conversation.isEmpty()) showWelcome();
    },
    async land(landing) {
      if (!panel.isSheet() && history.current()) open({ focus: false });
      await land(landing);
    },
  };
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
