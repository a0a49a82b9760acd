/** Conversations, stored in the reader's browser only. */
import { uuid as randomUuid } from './turn.js';

/**
 * @import {Session, Turn} from '../types.js'
 * @typedef {{version: 1, current: string | null, sessions: Session[]}} Stored
 */

/** Questions kept in all conversations together (browser-local session pattern). */
export const MAX_QUESTIONS = 20;

/** Questions older than this are forgotten on load (browser-local session pattern). */
export const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Maximum number of characters in a conversation's title (HISTORY-3). */
const TITLE_LENGTH = 80;

/**
 * Each operation reads the store, changes it and writes it back, so that several tabs of one site stay in step.
 * @param {object} options
 * @param {import('./storage.js').SafeStorage} options.storage
 * @param {string} options.key
 * @param {() => number} [options.now]  Milliseconds since the epoch.
 * @param {() => string} [options.uuid]
 */
export function createHistory({ storage, key, now = Date.now, uuid = randomUuid }) {
  let corrupted = false;

  /** @returns {Stored} */
  function load() {
    const empty = /** @type {Stored} */ ({ version: 1, current: null, sessions: [] });
    const text = storage.get(key);
    if (text === null) return empty;
    try {
      const stored = JSON.parse(text);
      const isValid = stored?.version === 1 && Array.isArray(stored.sessions) && stored.sessions.every(isSession);
      if (isValid) return prune(stored, now());
    } catch {
      // Counts as corrupted.
    }
    corrupted = true;
    return empty;
  }

  /** @param {(stored: Stored) => Stored} change */
  function update(change) {
    storage.set(key, JSON.stringify(prune(change(load()), now())));
  }

  return {
    /** Return all conversations, newest first. */
    sessions: () => load().sessions.toSorted((a, b) => b.updated_at - a.updated_at),

    /** @returns {Session | null} The conversation in progress, also after a page load. */
    current() {
      const { current, sessions } = load();
      return sessions.find(({ id }) => id === current) ?? null;
    },

    /** @returns {string} The ID of a new conversation. It is stored with its first question. */
    start() {
      const id = uuid();
      this.resume(id);
      return id;
    },

    /** @param {string} id */
    resume(id) {
      update((stored) => ({ ...stored, current: id }));
    },

    /** Store a question with its answer so far. @param {string} sessionId @param {Turn} turn */
    record(sessionId, turn) {
      update((stored) => {
        const time = now();
        const session = stored.sessions.find(({ id }) => id === sessionId)
          ?? { id: sessionId, title: sessionTitle(turn.query), created_at: time, updated_at: time, turns: [] };
        const updated = { ...session, updated_at: time, turns: withTurn(session.turns, turn) };
        return { ...stored, sessions: [...stored.sessions.filter(({ id }) => id !== sessionId), updated] };
      });
    },

    /** @param {string} id */
    remove(id) {
      update(({ current, sessions }) => ({
        version: 1,
        current: current === id ? null : current,
        sessions: sessions.filter((session) => session.id !== id),
      }));
    },

    clear: () => storage.remove(key),

    /** @returns {'ok' | 'corrupted' | 'unavailable'} */
    health() {
      if (!storage.persistent()) return 'unavailable';
      return corrupted ? 'corrupted' : 'ok';
    },
  };
}

/** @typedef {ReturnType<typeof createHistory>} History */

/** @param {any} value */
function isSession(value) {
  return typeof value?.id === 'string' && typeof value.title === 'string' && typeof value.updated_at === 'number'
    && Array.isArray(value.turns) && value.turns.every(isTurn);
}

/** @param {any} value */
function isTurn(value) {
  return typeof value?.id === 'string' && typeof value.query === 'string' && typeof value.at === 'number'
    && typeof value.answer === 'string' && Array.isArray(value.citations) && Array.isArray(value.notices);
}

/** Drop the questions beyond the limits of age and number. @param {Stored} stored @param {number} time */
function prune(stored, time) {
  const recent = stored.sessions
    .flatMap((session) => session.turns)
    .filter((turn) => time - turn.at <= MAX_AGE_MS)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_QUESTIONS);
  const ids = new Set(recent.map((turn) => turn.id));
  const sessions = stored.sessions
    .map((session) => ({ ...session, turns: session.turns.filter((turn) => ids.has(turn.id)) }))
    .filter((session) => session.turns.length > 0);
  return { ...stored, sessions };
}

/** Return the turns with one of them replaced, or appended if it is new. @param {Turn[]} turns @param {Turn} turn */
export function withTurn(turns, turn) {
  const isKnown = turns.some(({ id }) => id === turn.id);
  return isKnown ? turns.map((other) => (other.id === turn.id ? turn : other)) : [...turns, turn];
}

/**
 * Return a conversation's title: the first 80 characters of its first question, cut after the last whole word.
 * @param {string} question
 * @returns {string} At most 80 characters, plus "…" if it was cut.
 */
export function sessionTitle(question) {
  const characters = [...question.trim().replace(/\s+/gu, ' ')];
  if (characters.length <= TITLE_LENGTH) return characters.join('');
  const head = characters.slice(0, TITLE_LENGTH).join('');
  const endsOnAWord = characters[TITLE_LENGTH] === ' ';
  const lastSpace = head.lastIndexOf(' ');
  // Scripts without spaces have no earlier boundary.
  return `${(endsOnAWord || lastSpace < 1 ? head : head.slice(0, lastSpace)).trimEnd()}…`;
}
