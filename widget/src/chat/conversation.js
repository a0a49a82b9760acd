import { advance, contextTurns, newTurn, replay } from '../core/turn.js';
import { uuid } from '../core/uuid.js';
import { failureText } from './failure-view.js';
import { createTurnView, waitingText } from './turn-view.js';

/**
 * @typedef {import('../types.js').Turn} Turn
 * @typedef {import('../types.js').ChatEvent} ChatEvent
 * @typedef {import('../types.js').ChatRequest} ChatRequest
 * @typedef {import('./turn-view.js').TurnView} TurnView
 * @typedef {import('./turn-view.js').TurnContext} TurnContext
 */

/**
 * @typedef {object} ConversationOptions
 * @property {import('../core/api.js').Api} api
 * @property {import('../core/history.js').History} history
 * @property {import('./panel.js').Panel} panel
 * @property {import('./selection-mode.js').SelectionMode} mode
 * @property {Omit<TurnContext, 'onRetry'>} context
 * @property {() => Pick<ChatRequest, 'scope' | 'page_url' | 'build_id'>} place  Where the reader is.
 * @property {(busy: boolean) => void} onBusy
 * @property {(turn: Turn) => void} onAsked
 * @property {(turn: Turn) => void} onSettled  An answer, a refusal or a failure is complete.
 */

/** How long the sidecar keeps an answer for who asks again (HTTP API); after it, asking again is the reader's choice. */
const FOLLOW_MS = 10 * 60 * 1000;

/** The conversation on screen: asks, draws what comes back, stops, tries again, remembers. */
export class Conversation {
  /** @type {string | null} */
  #sessionId = null;
  /** @type {Turn[]} */
  #turns = [];
  /** @type {AbortController | null} */
  #running = null;
  /** @type {Map<string, TurnView>} */
  #shown = new Map();

  /** @param {ConversationOptions} options */
  constructor(options) {
    this.options = options;
    /** @type {TurnContext} */
    this.turnContext = { ...options.context, onRetry: (turn) => this.#retry(turn) };
  }

  sessionId() {
    return this.#sessionId;
  }

  isEmpty() {
    return this.#turns.length === 0;
  }

  /**
   * Whether nothing has happened since this conversation was loaded.
   * @param {import('../types.js').Session} session
   */
  isIdleIn(session) {
    return this.#sessionId === session.id && !this.#running && this.#turns.length === session.turns.length;
  }

  /**
   * Ask, unless an answer is still coming. The question is kept at once, so that no page load can lose it.
   * @param {string} query
   * @returns {Promise<boolean>} Whether it was asked.
   */
  async ask(query) {
    if (this.#running) return false;
    const { history, mode, place, onAsked } = this.options;
    this.#sessionId ??= history.start();
    const { notices, ...about } = mode.scopeOfQuestion();
    const request = { message_id: uuid(), session_id: this.#sessionId, query, ...about, ...place(),
      turns: contextTurns(this.#turns) };
    const turn = newTurn({ id: request.message_id, query, mode: about.mode, at: Date.now(), notices, buildId: request.build_id,
      request });
    const view = this.#show(turn);
    history.record(this.#sessionId, turn);
    onAsked(turn);
    await this.#run(request, turn, view);
    return true;
  }

  stop() {
    this.#running?.abort();
  }

  /**
   * Show a conversation. An answer that was on its way when the page was left is followed: asked for again under its
   * id, it is not made a second time.
   * @param {import('../types.js').Session | null} session  Null: an empty conversation.
   */
  load(session) {
    if (this.#running && session?.id === this.#sessionId) return;
    this.stop();
    this.#sessionId = session?.id ?? null;
    this.#turns = [];
    this.#shown.clear();
    this.options.panel.log.replaceChildren();
    for (const turn of session?.turns ?? []) {
      const view = this.#show(turn);
      for (const event of replay(turn)) view.show(turn, event);
      if (turn.outcome !== 'pending') continue;
      if (turn.request && turn === session?.turns.at(-1) && Date.now() - turn.at < FOLLOW_MS) this.#run(turn.request, turn, view);
      else view.show(turn, { type: 'failure', failure: { code: 'interrupted' } });
    }
  }

  /** @param {Turn} turn */
  async #retry(turn) {
    const view = this.#shown.get(turn.id);
    if (this.#running || !view) return;
    if (!turn.request) return void this.ask(turn.query);
    view.waitAgain(turn);
    await this.#run(turn.request, turn, view); // The same message_id: what is answered already is not asked twice.
  }

  /** @param {Turn} turn */
  #show(turn) {
    const { panel } = this.options;
    const view = createTurnView(turn, this.turnContext);
    this.#shown.set(turn.id, view);
    this.#keep(turn);
    panel.follow(() => panel.log.append(view.element), view.element, true);
    return view;
  }

  /** @param {Turn} turn */
  #keep(turn) {
    const known = this.#turns.some(({ id }) => id === turn.id);
    this.#turns = known ? this.#turns.map((old) => (old.id === turn.id ? turn : old)) : [...this.#turns, turn];
  }

  /**
   * @param {ChatRequest} request
   * @param {Turn} first  The turn as it stands before the request.
   * @param {TurnView} view
   */
  async #run(request, first, view) {
    const { api, history, panel, onBusy, onSettled } = this.options;
    let turn = first;
    const update = (/** @type {ChatEvent} */ event) => {
      turn = advance(turn, event);
      // The reader may have gone to another conversation meanwhile.
      if (this.#sessionId === request.session_id) this.#keep(turn);
      panel.follow(() => view.show(turn, event), view.element);
    };
    const running = new AbortController();
    this.#running = running;
    onBusy(true);
    panel.announce(waitingText(first, this.turnContext));
    try {
      await api.chat(request, { signal: running.signal, onEvent: update });
    } catch (error) {
      // What answers on the reader's machine has an `ApiError` of its own.
      const { code = 'failed', detail, retryAfter } = /** @type {import('../core/api.js').ApiError} */ (error);
      update({ type: 'failure', failure: { code, detail, retryAfter } });
    }
    if (this.#running === running) { // Not yet followed by that of another conversation.
      this.#running = null;
      onBusy(false);
    }
    if (this.#isKept(request.session_id)) history.record(request.session_id, turn);
    panel.announce(this.#spoken(turn, view));
    onSettled(turn);
  }

  /**
   * Whether a conversation is still wanted: the one on screen, or one in the history. A deleted one stays deleted.
   * @param {string} id
   */
  #isKept(id) {
    return id === this.#sessionId || this.options.history.sessions().some((session) => session.id === id);
  }

  /**
   * @param {Turn} turn
   * @param {TurnView} view
   */
  #spoken(turn, view) {
    const { t } = this.options.context;
    if (turn.refusal) return turn.refusal.message;
    if (turn.failure) return failureText(turn, turn.failure, t);
    return t('announceAnswer', { text: view.spoken(), n: turn.citations.length });
  }
}
