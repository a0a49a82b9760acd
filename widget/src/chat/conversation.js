/** The conversation on screen: asks, shows the reply as it arrives, stops, retries and stores. */
import { withTurn } from '../core/history.js';
import { advance, contextTurns, newTurn, replay, uuid } from '../core/turn.js';
import { failureText } from './refusal-view.js';
import { createTurnView, waitingText } from './turn-view.js';

/**
 * @import {ChatEvent, ChatRequest, Session, Turn} from '../types.js'
 * @import {ApiError} from '../core/api.js'
 * @import {TurnContext, TurnView} from './turn-view.js'
 *
 * @typedef {object} ConversationOptions
 * @property {import('../core/api.js').Api} api
 * @property {import('../core/history.js').History} history
 * @property {import('./panel.js').Panel} panel
 * @property {import('./selection-mode.js').SelectionMode} mode
 * @property {Omit<TurnContext, 'onRetry'>} context
 * @property {() => Pick<ChatRequest, 'scope' | 'page_url' | 'build_id'>} place  Returns where the reader is.
 * @property {(busy: boolean) => void} onBusy
 * @property {(turn: Turn) => void} onAsked
 * @property {(turn: Turn) => void} onSettled  An answer, a refusal or a failure is complete.
 */

/** The sidecar keeps an answer this long for a repeated request (HTTP API). Later, only the reader asks again. */
const FOLLOW_MS = 10 * 60 * 1000;

export class Conversation {
  /** @type {string | null} */
  #sessionId = null;
  /** @type {Turn[]} */
  #turns = [];
  /** @type {AbortController | null} */
  #running = null;
  /** @type {Map<string, TurnView>} */
  #views = new Map();

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

  /** Return whether nothing has happened since a session was loaded. @param {Session} session */
  isIdleIn(session) {
    return this.#sessionId === session.id && !this.#running && this.#turns.length === session.turns.length;
  }

  /**
   * Ask, unless an answer is still arriving. The question is stored at once, so that no page load can lose it.
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
   * Show a session. If its last answer was arriving when the reader left the page, request it again under the same ID, which
   * does not create a second one.
   * @param {Session | null} session  Null shows an empty conversation.
   */
  load(session) {
    if (this.#running && session?.id === this.#sessionId) return;
    this.stop();
    this.#sessionId = session?.id ?? null;
    this.#turns = [];
    this.#views.clear();
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
    const view = this.#views.get(turn.id);
    if (this.#running || !view) return;
    if (!turn.request) return void this.ask(turn.query);
    view.waitAgain();
    await this.#run(turn.request, turn, view); // With the same message_id, so that an existing answer is not created again.
  }

  /** @param {Turn} turn */
  #show(turn) {
    const { panel } = this.options;
    const view = createTurnView(turn, this.turnContext);
    this.#views.set(turn.id, view);
    this.#turns = withTurn(this.#turns, turn);
    panel.follow(() => panel.log.append(view.element), view.element, true);
    return view;
  }

  /** @param {ChatRequest} request @param {Turn} first @param {TurnView} view */
  async #run(request, first, view) {
    const { api, history, panel, onBusy, onSettled, context: { t } } = this.options;
    const id = request.session_id;
    let turn = first;
    const update = (/** @type {ChatEvent} */ event) => {
      turn = advance(turn, event);
      // The reader may have opened another conversation meanwhile.
      if (this.#sessionId === id) this.#turns = withTurn(this.#turns, turn);
      panel.follow(() => view.show(turn, event), view.element);
    };
    const running = new AbortController();
    this.#running = running;
    onBusy(true);
    panel.announce(waitingText(first, this.turnContext));
    try {
      await api.chat(request, { signal: running.signal, onEvent: update });
    } catch (error) {
      // The bundle for answers in the browser has its own class `ApiError`, so `instanceof` does not work.
      const { code = 'failed', detail, retryAfter } = /** @type {ApiError} */ (error);
      update({ type: 'failure', failure: { code, detail, retryAfter } });
    }
    if (this.#running === running) { // Another conversation may have started its own.
      this.#running = null;
      onBusy(false);
    }
    // A deleted conversation stays deleted.
    if (id === this.#sessionId || history.sessions().some((session) => session.id === id)) history.record(id, turn);
    panel.announce(turn.refusal?.message ?? (turn.failure ? failureText(turn, turn.failure, t)
      : t('announceAnswer', { text: view.text(), n: turn.citations.length })));
    onSettled(turn);
  }
}
