/** Asks why a reply did not help; loaded when a reader votes against one. */
import { h } from '../dom.js';
import english from '../strings/en/vote.js';
import { adopt, css, sheet } from '../styles/css.js';

/**
 * @import {Turn, Vote} from '../types.js'
 * @typedef {NonNullable<Vote['reason']>} Reason
 */

/** The sidecar's limit (HTTP API). */
const MAX_COMMENT_CHARACTERS = 1000;

const voteSheet = sheet(css`
  .why { display: grid; gap: 8px; margin-block-start: 8px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 10px; font-size: 13px; }
  .why fieldset { display: grid; gap: 4px; margin: 0; padding: 0; border: 0; }
  .why legend { padding: 0; margin-block-end: 4px; font-weight: 650; }
  .why label { display: flex; gap: 8px; align-items: baseline; }
  .why textarea { display: block; width: 100%; box-sizing: border-box; margin-block-start: 4px; padding: 6px 8px; border: 1px solid color-mix(in oklab, var(--text) 45%, transparent); border-radius: 8px; background: none; resize: vertical; }
  .why .note { color: var(--muted); font-size: 12px; }
  .why button { justify-self: start; }
`);

/**
 * @param {Turn} turn
 * @param {boolean} commentsKept  Whether the sidecar stores comments.
 * @param {HTMLButtonElement} vote  Gets the focus back.
 * @param {import('./turn-view.js').TurnContext} context
 */
export function reasonsView(turn, commentsKept, vote, { t, onVote }) {
  const root = /** @type {ShadowRoot} */ (vote.getRootNode());
  adopt(root, voteSheet);
  t.learn(english);
  /** @type {Reason[]} */
  const reasons = turn.refusal ? ['in_docs', 'misunderstood'] : ['wrong', 'incomplete', 'misunderstood'];
  const excess = h('p', { class: 'note', role: 'status' });
  const comment = h('textarea', { rows: '2', oninput: update });
  const submit = h('button', { type: 'submit', class: 'text-button' }, t('send'));
  const form = h('form', { class: 'why', onsubmit: send },
    h('fieldset', {}, h('legend', {}, t('whyNot')), ...reasons.map((reason) => (
      h('label', {}, h('input', { type: 'radio', name: `why-${turn.id}`, value: reason, required: true }), t(`reason_${reason}`))))),
    commentsKept && h('div', {}, h('label', {}, h('span', {}, t('comment'))), comment, excess, h('p', { class: 'note' }, t('commentNote'))),
    submit);
  comment.setAttribute('aria-label', t('comment'));

  function update() {
    const over = [...comment.value.trim()].length - MAX_COMMENT_CHARACTERS;
    excess.textContent = over > 0 ? t('tooLong', { n: over }) : '';
    submit.disabled = over > 0;
  }

  /** @param {Event} event */
  async function send(event) {
    event.preventDefault();
    const reason = /** @type {Reason} */ (/** @type {HTMLInputElement} */ (form.querySelector('input:checked')).value);
    if (!await onVote(turn, { vote: 'down', reason, comment: comment.value.trim() || undefined })) return; // For another try.
    form.replaceWith(h('p', { class: 'why' }, t('thanks')));
    vote.focus();
  }

  return form;
}
