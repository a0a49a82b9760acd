import { sessionTitle } from './title.js';
import { uuid as randomUuid } from './uuid.js';

/**
 * @typedef {import('../types.js').Session} Session
 * @typedef {import('../types.js').Turn} Turn
 * @typedef {{version: 1, current: string | null, sessions: Session[]}} Stored
 */

/** Questions kept in all conversations together (browser-local session pattern). */
export const MAX_QUESTIONS = 20;

/** Questions older than this are forgotten on load (browser-local session pattern). */
export const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Conversations, kept in the reader's browser alone. Each operation reads what is stored, changes it and writes it
 * back, so that several tabs of one site stay in step.
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
    const text = storage.get(key);
    const stored = text === null ? emptyStore() : parseStored(text);
    if (!stored) {
      corrupted = true;
      return emptyStore();
    }
    return prune(stored, now());
  }

  /** @param {(stored: Stored) => Stored} change */
  function update(change) {
    const changed = prune(change(load()), now());
    storage.set(key, JSON.stringify(changed));
  }

  return {
    /** @returns {Session[]} Newest first. */
    sessions: () => load().sessions.toSorted((a, b) => b.updated_at - a.updated_at),

    /** @returns {Session | null} The conversation in progress, also after a page load. */
    current() {
      const stored = load();
      return stored.sessions.find((session) => session.id === stored.current) ?? null;
    },

    /** @returns {string} The id of a new conversation; it is stored with its first question. */
    start() {
      const id = uuid();
      update((stored) => ({ ...stored, current: id }));
      return id;
    },

    /** @param {string} id */
    resume(id) {
      update((stored) => ({ ...stored, current: id }));
    },

    /**
     * Store a question with its answer, or what there is of it by now.
     * @param {string} sessionId
     * @param {Turn} turn
     */
    record(sessionId, turn) {
      update((stored) => ({ ...stored, sessions: withTurn(stored.sessions, sessionId, turn, now()) }));
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

/** @returns {Stored} */
function emptyStore() {
  return { version: 1, current: null, sessions: [] };
}

/**
 * @param {string} text
 * @returns {Stored | null} Null when it is not what this module wrote.
 */
function parseStored(text) {
  try {
    const stored = JSON.parse(text);
    const valid = stored?.version === 1 && Array.isArray(stored.sessions) && stored.sessions.every(isSession);
    return valid ? stored : null;
  } catch {
    return null;
  }
}

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

/**
 * @param {Stored} stored
 * @param {number} time
 * @returns {Stored}
 */
function prune(stored, time) {
  const kept = stored.sessions
    .flatMap((session) => session.turns)
    .filter((turn) => time - turn.at <= MAX_AGE_MS)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_QUESTIONS);
  const ids = new Set(kept.map((turn) => turn.id));
  const sessions = stored.sessions
    .map((session) => ({ ...session, turns: session.turns.filter((turn) => ids.has(turn.id)) }))
    .filter((session) => session.turns.length > 0);
  return { ...stored, sessions };
}

/**
 * @param {Session[]} sessions
 * @param {string} sessionId
 * @param {Turn} turn
 * @param {number} time
 * @returns {Session[]}
 */
function withTurn(sessions, sessionId, turn, time) {
  const existing = sessions.find((session) => session.id === sessionId);
  const session = existing
    ?? { id: sessionId, title: sessionTitle(turn.query), created_at: time, updated_at: time, turns: [] };
  const known = session.turns.some((other) => other.id === turn.id);
  const turns = known
    ? session.turns.map((other) => (other.id === turn.id ? turn : other))
    : [...session.turns, turn];
  return [...sessions.filter((other) => other.id !== sessionId), { ...session, updated_at: time, turns }];
}
