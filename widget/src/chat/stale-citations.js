import { applyResolved } from '../core/citations.js';

/**
 * A stored conversation whose citations point where their sections are now, after the docs were built anew.
 * @param {import('../types.js').Session} session
 * @param {object} options
 * @param {import('../core/api.js').Api} options.api
 * @param {string | undefined} options.buildId  The build of the page the reader is on.
 * @param {import('../types.js').Scope} options.scope
 * @returns {Promise<import('../types.js').Session>} As it was when nothing changed or the sidecar cannot be asked.
 */
export async function refreshCitations(session, { api, buildId, scope }) {
  const stale = session.turns.filter((turn) => turn.buildId !== buildId);
  const ids = new Set(stale.flatMap((turn) => citationsOf(turn).map((citation) => citation.stable_id ?? '')).filter(Boolean));
  if (ids.size === 0) return session;
  const resolved = await api.resolve([...ids], scope).catch(() => null);
  if (!resolved) return session;
  return { ...session, turns: session.turns.map((turn) => (stale.includes(turn) ? withResolved(turn, resolved) : turn)) };
}

/** @param {import('../types.js').Turn} turn */
function citationsOf(turn) {
  return [...turn.citations, ...(turn.refusal?.nearest ?? [])];
}

/**
 * @param {import('../types.js').Turn} turn
 * @param {Parameters<typeof applyResolved>[1]} resolved
 * @returns {import('../types.js').Turn}
 */
function withResolved(turn, resolved) {
  const refusal = turn.refusal && { ...turn.refusal, nearest: applyResolved(turn.refusal.nearest ?? [], resolved) };
  return { ...turn, citations: applyResolved(turn.citations, resolved), refusal };
}
