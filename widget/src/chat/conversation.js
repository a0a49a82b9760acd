import { ApiError } from '../core/api.js';
import { advance, contextTurns, newTurn, replay } from '../core/turn.js';
import { failureText } from './failure-view.js';
import { createTurnView } from './turn-view.js';

/**
 * @typedef {import('../types.js').Turn} Turn
 * @typedef {import('../types.js').ChatEvent} ChatEvent
 * @typedef {import('../types.js').ChatRequest} ChatRequest
 * @typedef {import('./turn-view.js').TurnView} TurnView
 * @typedef {import('./turn-view.js').TurnContext} TurnContext
 */

/**
 * The conversation on screen: asks, draws what comes back, stops, tries again, remembers.
 * @param {object} options
 * @param {import('../core/api.js').Api} options.api
 * @param {import('../core/history.js').History} options.history
 * @param {import('./panel.js').Panel} options.panel
 * @param {import('./selection-mode.js').SelectionMode} options.mode
 * @param {Omit<TurnContext, 'onRetry'>} options.context
 * @param {() => Pick<ChatRequest, 'scope' | 'page_url' | 'build_id'>} options.place  Where the reader is.
 * @param {(busy: boolean) => void} options.onBusy
 * @param {(turn: Turn) => void} options.onSettled  An answer, a refusal or a failure is complete.
 */
export function createConversation({ api, history, panel, mode, context, place, onBusy, onSettled }) {
  /** @type {string | null} */
  let sessionId = null;
  /** @type {Turn[]} */
  let turns = [];
  /** @type {AbortController | null} */
  let running = null;
  const turnContext = { ...context, onRetry: retry };
  /** @type {Map<string, {view: TurnView, request: ChatRequest | null}>} */
  const shown = new Map();

  /** @param {Turn} turn */
  function keep(turn) {
    turns = turns.some(({ id }) => id === turn.id) ? turns.map((old) => (old.id === turn.id ? turn : old)) : [...turns, turn];
  }

  /**
   * @param {Turn} turn
   * @param {ChatRequest | null} request  Null for a turn out of the history, which cannot be tried again as it was.
   */
  function show(turn, request) {
    const view = createTurnView(turn, turnContext);
    shown.set(turn.id, { view, request });
    keep(turn);
    panel.follow(() => panel.log.append(view.element), view.element, true);
    return view;
  }

  /**
   * @param {ChatRequest} request
   * @param {TurnView} view
   */
  async function run(request, view) {
    const session = request.session_id;
    let turn = turnOf(request);
    const update = (/** @type {ChatEvent} */ event) => {
      turn = advance(turn, event);
      if (sessionId === session) keep(turn); // The reader may have gone to another conversation meanwhile.
      panel.follow(() => view.show(turn, event), view.element);
    };
    running = new AbortController();
    onBusy(true);
    try {
      await api.chat(request, { signal: running.signal, onEvent: update });
    } catch (error) {
      const { code, detail, retryAfter } = error instanceof ApiError ? error : new ApiError('failed');
      update({ type: 'failure', failure: { code, detail, retryAfter } });
    }
    running = null;
    onBusy(false);
    history.record(session, turn);
    panel.announce(spoken(turn, view));
    onSettled(turn);
  }

  /** @param {ChatRequest} request */
  function turnOf(request) {
    return /** @type {Turn} */ (turns.find(({ id }) => id === request.message_id));
  }

  /**
   * @param {Turn} turn
   * @param {TurnView} view
   */
  function spoken(turn, view) {
    if (turn.refusal) return turn.refusal.message;
    if (turn.failure) return failureText(turn, turn.failure, context.t);
    return context.t('announceAnswer', { text: view.spoken(), n: turn.citations.length });
  }

  /** @param {Turn} turn */
  async function retry(turn) {
    const entry = shown.get(turn.id);
    if (running || !entry) return;
    if (!entry.request) return ask(turn.query);
    entry.view.waitAgain(turn);
    await run(entry.request, entry.view); // The same message_id: what the sidecar has answered is not asked twice.
  }

  /** @param {string} query */
  async function ask(query) {
    if (running) return;
    sessionId ??= history.start();
    const { notices, ...scope } = mode.scopeOfQuestion();
    const request = { message_id: crypto.randomUUID(), session_id: sessionId, query, ...scope, ...place(), turns: contextTurns(turns) };
    const turn = newTurn({ id: request.message_id, query, mode: scope.mode, at: Date.now(), notices, buildId: request.build_id });
    const view = show(turn, request);
    panel.announce(context.t(scope.mode === 'selection' ? 'reading' : 'searching', { site: context.site }));
    await run(request, view);
  }

  function stop() {
    running?.abort();
  }

  /** @param {import('../types.js').Session | null} session  Null: an empty conversation. */
  function load(session) {
    stop();
    sessionId = session?.id ?? null;
    turns = [];
    shown.clear();
    panel.log.replaceChildren();
    for (const turn of session?.turns ?? []) redraw(turn);
  }

  /** @param {Turn} turn */
  function redraw(turn) {
    const view = show(turn, null);
    for (const event of replay(turn)) view.show(turn, event);
  }

  return {
    ask,
    stop,
    load,
    sessionId: () => sessionId,
    isEmpty: () => turns.length === 0,
    /**
     * Whether nothing has happened since this conversation was loaded.
     * @param {import('../types.js').Session} session
     */
    isIdleIn: (session) => sessionId === session.id && !running && turns.length === session.turns.length,
  };
}

/** @typedef {ReturnType<typeof createConversation>} Conversation */
