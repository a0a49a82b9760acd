/** The list of conversations; loaded when it is first shown. */
import { applyResolved } from '../core/citations.js';
import { MAX_QUESTIONS } from '../core/history.js';
import { h, icon } from '../dom.js';
import english from '../strings/en/earlier.js';
import { adopt, css, sheet } from '../styles/css.js';
import { sessionAsMarkdown } from './answer-copy.js';
import { copyButton } from './clipboard.js';
import { SAVE, TRASH } from './icons.js';

/**
 * @import {ChatEnvironment, Scope, Session, Turn} from '../types.js'
 * @import {Api} from '../core/api.js'
 * @import {History} from '../core/history.js'
 * @import {StringKey, Translate} from '../core/i18n.js'
 * @import {HrefOf} from './answer-copy.js'
 */

const historySheet = sheet(css`
  .sessions { display: grid; gap: 2px; list-style: none; }
  .session { display: flex; align-items: center; border-radius: 10px; }
  .session:hover { background: var(--faint); }
  .session-open { flex: 1; min-width: 0; padding: 8px 10px; border: 0; border-inline-start: 3px solid transparent; text-align: start; background: none; }
  .session-open[aria-current] { border-color: var(--accent); }
  .session-title { display: block; font-size: 14px; font-weight: 600; line-height: 1.4; overflow-wrap: anywhere; }
  .history-footer { display: flex; align-items: center; justify-content: space-between; gap: 12px; margin-block-start: 16px; font-size: 12px; color: var(--muted); }
  .history-footer .text-button { flex: none; color: var(--text); }
  .empty-history { color: var(--muted); }
  @media (forced-colors: active) {
    .session-open { border-color: Canvas; } /* Transparent borders would be visible. */
    .session-open[aria-current] { border-color: Highlight; }
  }
`);

/** Return the warning that the oldest questions will be dropped. @param {Translate} t @param {number} count */
export function nearlyFullText(t, count) {
  t.learn(english);
  return t('nearlyFull', { n: count, most: MAX_QUESTIONS });
}

/**
 * Show the conversations, newest first.
 * @param {object} options
 * @param {Translate} options.t
 * @param {ChatEnvironment} options.environment
 * @param {History} options.history
 * @param {HrefOf} options.hrefOf
 * @param {(message: string) => void} options.announce
 * @param {string | null} options.currentId  The conversation on screen.
 * @param {(id: string) => void} options.onResume
 * @param {(id: string | null) => void} options.onRemoved
 */
export function historyView({ t, environment: { root, language }, history, hrefOf, announce, currentId, onResume, onRemoved }) {
  adopt(root, historySheet);
  t.learn(english);
  const sessions = history.sessions();
  if (sessions.length === 0) return [h('p', { class: 'empty-history' }, t('historyEmpty'))];
  const status = h('p', { role: 'status' }, t(history.health() === 'unavailable' ? 'storage_unavailable' : 'historyNote'));
  const onFailure = (/** @type {StringKey} */ reason) => { status.textContent = t(reason); };
  const dateFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const markdown = (/** @type {Session} */ session) => sessionAsMarkdown(session, hrefOf, t);

  /** @param {string} question @param {() => void} remove @param {string | null} id */
  function removeIfConfirmed(question, remove, id) {
    if (!confirm(question)) return;
    remove();
    onRemoved(id);
  }

  const items = sessions.map((session) => {
    const { id, title } = session;
    const deleteLabel = t('deleteOne', { title });
    return h('li', { class: 'session' },
      h('button', { type: 'button', class: 'session-open', 'aria-current': id === currentId && 'true', onclick: () => onResume(id) },
        h('span', { class: 'session-title' }, h('bdi', {}, title)),
        h('span', { class: 'trail' }, dateFormat.format(session.updated_at))),
      copyButton({ label: t('copyConversation', { title }), confirmation: t('copied'), text: () => markdown(session), announce, onFailure }),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('exportOne', { title }), title: t('export'), onclick: () => {
        const url = URL.createObjectURL(new Blob([markdown(session)], { type: 'text/markdown' }));
        h('a', { href: url, download: `${title.replace(/[^\p{L}\p{N}]+/gu, '-')}.md` }).click();
        URL.revokeObjectURL(url);
      } }, icon(SAVE)),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': deleteLabel,
        onclick: () => removeIfConfirmed(deleteLabel, () => history.remove(id), id) }, icon(TRASH)));
  });
  return [
    h('ul', { class: 'sessions' }, ...items),
    h('div', { class: 'history-footer' }, status,
      h('button', { type: 'button', class: 'text-button', onclick: () => removeIfConfirmed(t('clearAll'), history.clear, currentId) },
        t('clearAll'))),
  ];
}

/**
 * Return a stored conversation with the current location of its citations.
 * @param {Session} session
 * @param {object} options
 * @param {Api} options.api
 * @param {string | undefined} options.buildId  The build of the reader's page.
 * @param {Scope} options.scope
 * @returns {Promise<Session>} The same object if nothing changed or the sidecar does not answer.
 */
export async function refreshCitations(session, { api, buildId, scope }) {
  const stale = session.turns.filter((turn) => turn.buildId !== buildId);
  /** @type {Map<string, Set<string>>} The IDs by version, because the same section exists in several versions. */
  const wanted = new Map();
  for (const turn of stale) {
    const ids = [...turn.citations, ...(turn.refusal?.nearest ?? [])].flatMap((citation) => citation.stable_id || []);
    const key = placeOf(turn, scope);
    if (ids.length > 0) wanted.set(key, new Set([...wanted.get(key) ?? [], ...ids]));
  }
  if (wanted.size === 0) return session;
  const asked = [...wanted].map(async ([key, ids]) => /** @type {const} */ ([key, await api.resolve([...ids], JSON.parse(key))]));
  const resolved = await Promise.all(asked).then((found) => new Map(found), () => null);
  if (!resolved) return session;
  const turns = session.turns.map((turn) => {
    const found = stale.includes(turn) ? resolved.get(placeOf(turn, scope)) : undefined;
    if (!found) return turn;
    const refusal = turn.refusal && { ...turn.refusal, nearest: applyResolved(turn.refusal.nearest ?? [], found) };
    return { ...turn, citations: applyResolved(turn.citations, found), refusal };
  });
  return { ...session, turns };
}

/** The version and language that answered, as JSON: a citation of an older version stays in it. @param {Turn} turn @param {Scope} scope */
function placeOf({ head, refusal }, scope) {
  const { version, locale } = (head ?? refusal)?.scope ?? {};
  return JSON.stringify({ ...scope, ...version && { version }, ...locale && { locale } });
}
