/** The content of an answer's status line; loaded with the first `status` event. `turn-view.js` creates the line. */
import { h } from '../dom.js';
import english from '../strings/en/status.js';
import { adopt, css, sheet } from '../styles/css.js';
import { quotedList } from './refusal-view.js';

/** @import {Mode, Status} from '../types.js' */

/** Further section titles are shown as a number. */
const MAX_TITLES = 2;

/** One line of constant height keeps the layout stable. Each query or title is cut off at its own end. */
const statusSheet = sheet(css`
  .dots { flex: none; }
  .status { display: flex; min-width: 0; overflow: hidden; white-space: pre; }
  .status bdi { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .status bdi + bdi { flex-shrink: 1e6; min-width: 2.5em; } /* The first is cut off last. */
`);

/** The announced phases by status line. Each request has its own line. @type {WeakMap<HTMLElement, Set<string>>} */
const announced = new WeakMap();

/**
 * Show a status in the line, and announce each phase once. A line that has been removed is appended to the answer.
 * @param {Element} answer
 * @param {HTMLElement} line
 * @param {Status} status
 * @param {Mode} mode
 * @param {Pick<import('./turn-view.js').TurnContext, 't' | 'announce'>} context
 */
export function showStatus(answer, line, { phase, queries = [], titles = [] }, mode, { t, announce }) {
  t.learn(english);
  const shown = phase === 'searching' ? queries : titles.slice(0, MAX_TITLES);
  if (!t(`status_${phase}`) || (shown.length === 0 && phase !== 'checking')) return; // The line keeps its text.
  adopt(/** @type {ShadowRoot} */ (answer.getRootNode()), statusSheet);
  const rest = phase === 'reading' ? titles.length - shown.length : 0;
  const text = h('span', { class: 'status' }, ...quotedList(t, `status_${phase}`, shown), rest > 0 && ` ${t('statusMore', { n: rest })}`);
  line.replaceChildren(/** @type {Element} */ (line.firstElementChild), text);
  if (!answer.contains(line)) answer.append(line);
  // The first phase was announced with the question.
  const phases = announced.get(line) ?? new Set([mode === 'selection' ? 'reading' : 'searching']);
  announced.set(line, phases);
  if (!phases.has(phase)) announce(text.textContent ?? '');
  phases.add(phase);
}
