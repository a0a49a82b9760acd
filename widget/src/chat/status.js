/** The content of the status line of an answer; loaded with the first `status` event. The line itself is in `turn-view.js`. */
import { h } from '../dom.js';
import english from '../strings/en/status.js';
import { adopt, css, sheet } from '../styles/css.js';
import { quotedList } from './quoted-list.js';

/** Further section titles are shown as a number. */
const SHOWN_TITLES = 2;

/** One line of constant height keeps the layout stable. Each query or title is cut off at its own end. */
const statusSheet = sheet(css`
  .dots { flex: none; }
  .status { display: flex; min-width: 0; overflow: hidden; white-space: pre; }
  .status bdi { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .status bdi + bdi { flex-shrink: 1e6; min-width: 2.5em; } /* The first is cut off last. */
`);

/**
 * The phases that were announced, by the line that shows them. Each request has its own line.
 * @type {WeakMap<HTMLElement, Set<string>>}
 */
const announced = new WeakMap();

/**
 * Show a status in the line, and announce each phase once. A line that has been removed is appended to the answer.
 * @param {Element} answer
 * @param {HTMLElement} line
 * @param {import('../types.js').Status} status
 * @param {import('../types.js').Mode} mode
 * @param {Pick<import('./turn-view.js').TurnContext, 't' | 'announce'>} context
 */
export function showStatus(answer, line, { phase, queries = [], titles = [] }, mode, { t, announce }) {
  t.learn(english);
  const shown = phase === 'searching' ? queries : titles.slice(0, SHOWN_TITLES);
  if (!t(`status_${phase}`) || (shown.length === 0 && phase !== 'checking')) return; // The line keeps its text.
  adopt(/** @type {ShadowRoot} */ (answer.getRootNode()), statusSheet);
  const rest = phase === 'reading' ? titles.length - shown.length : 0;
  const text = h('span', { class: 'status' }, ...quotedList(t, `status_${phase}`, shown), rest > 0 && ` ${t('statusMore', { n: rest })}`);
  line.replaceChildren(/** @type {Element} */ (line.firstElementChild), text);
  if (!answer.contains(line)) answer.append(line);
  announceOnce(line, phase, mode, () => announce(text.textContent ?? ''));
}

/**
 * Announce a phase unless it was announced. The first phase was announced with the question.
 * @param {HTMLElement} line
 * @param {import('../types.js').Status['phase']} phase
 * @param {import('../types.js').Mode} mode
 * @param {() => void} announce
 */
function announceOnce(line, phase, mode, announce) {
  const phases = announced.get(line) ?? new Set([mode === 'selection' ? 'reading' : 'searching']);
  announced.set(line, phases);
  if (phases.has(phase)) return;
  phases.add(phase);
  announce();
}
