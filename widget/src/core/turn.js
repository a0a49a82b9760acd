/**
 * @typedef {import('../types.js').Turn} Turn
 * @typedef {import('../types.js').ChatEvent} ChatEvent
 */

/** How many earlier turns a request carries (HTTP API). */
const CONTEXT_TURNS = 5;

/**
 * @param {Pick<Turn, 'id' | 'query' | 'mode' | 'at'> & Partial<Turn>} fields
 * @returns {Turn}
 */
export function newTurn(fields) {
  return { outcome: 'pending', answer: '', citations: [], notices: [], ...fields };
}

/**
 * The turn after an event of its answer. A retry starts with `start`, which lets go of the partial text.
 * @param {Turn} turn
 * @param {ChatEvent} event
 * @returns {Turn}
 */
export function advance(turn, event) {
  switch (event.type) {
    case 'status': // Shown, but not part of the turn.
      return turn;
    case 'start':
      return { ...turn, head: event.head, answer: '', citations: [], failure: undefined, outcome: 'pending' };
    case 'delta':
      return { ...turn, answer: turn.answer + event.text };
    case 'sources':
      return { ...turn, citations: event.citations };
    case 'end':
      return { ...turn, end: event.end, request: undefined, outcome: 'answered' };
    case 'refusal':
      return { ...turn, refusal: event.refusal, failure: undefined, request: undefined, outcome: 'refused' };
    case 'failure':
      return { ...turn, failure: event.failure, outcome: failedOutcome(turn, event.failure.code) };
  }
}

/**
 * The events that would draw a stored turn again.
 * @param {Turn} turn
 * @returns {ChatEvent[]}
 */
export function replay(turn) {
  /** @type {ChatEvent[]} */
  const events = [];
  if (turn.refusal) return [{ type: 'refusal', refusal: turn.refusal }];
  if (turn.head) events.push({ type: 'start', head: turn.head });
  if (turn.answer) events.push({ type: 'delta', text: turn.answer });
  if (turn.citations.length > 0) events.push({ type: 'sources', citations: turn.citations });
  if (turn.end) events.push({ type: 'end', end: turn.end });
  if (turn.failure) events.push({ type: 'failure', failure: turn.failure });
  return events;
}

/**
 * The visible conversation as a request carries it, for follow-up questions.
 * @param {Turn[]} turns
 * @returns {{query: string, answer: string}[]}
 */
export function contextTurns(turns) {
  return turns
    .filter((turn) => turn.outcome === 'answered' || turn.outcome === 'refused')
    .slice(-CONTEXT_TURNS)
    .map((turn) => ({ query: turn.query, answer: turn.refusal?.message ?? turn.answer }));
}

/**
 * @param {Turn} turn
 * @param {string} code
 * @returns {import('../types.js').Outcome}
 */
function failedOutcome(turn, code) {
  if (code === 'stopped') return 'stopped';
  return turn.answer ? 'interrupted' : 'failed';
}
