/** One question with its answer, as a value: each event yields a new turn. */

/** @import {ChatEvent, Turn} from '../types.js' */

/** Earlier turns in a request (HTTP API). */
const CONTEXT_TURNS = 5;

/** @param {Pick<Turn, 'id' | 'query' | 'mode' | 'at'> & Partial<Turn>} fields @returns {Turn} */
export function newTurn(fields) {
  return { outcome: 'pending', answer: '', citations: [], notices: [], ...fields };
}

/**
 * Return the turn after an event. `start` discards the partial text of an earlier attempt.
 * @param {Turn} turn
 * @param {ChatEvent} event
 * @returns {Turn}
 */
export function advance(turn, event) {
  switch (event.type) {
    case 'status': // Not part of the turn.
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
      return { ...turn, failure: event.failure,
        outcome: event.failure.code === 'stopped' ? 'stopped' : turn.answer ? 'interrupted' : 'failed' };
  }
}

/** Return the events that render a stored turn. @param {Turn} turn @returns {ChatEvent[]} */
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

/** Return the visible conversation in the format of a request, for follow-up questions. @param {Turn[]} turns */
export function contextTurns(turns) {
  return turns
    .filter((turn) => turn.outcome === 'answered' || turn.outcome === 'refused')
    .slice(-CONTEXT_TURNS)
    .map((turn) => ({ query: turn.query, answer: turn.refusal?.message ?? turn.answer }));
}

/** Return a random UUID (version 4). `crypto.randomUUID` needs a secure context; a page on plain http has none. */
export function uuid() {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/gu, (digit) => (
    (Number(digit) ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (Number(digit) / 4)))).toString(16)));
}
