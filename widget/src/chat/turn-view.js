import { citedWords, nameOf } from '../core/citations.js';
import { directionOf, h, icon } from '../dom.js';
import { sourcesView } from './citation-view.js';
import { copyButton } from './clipboard.js';
import { DOWN, LINK, UP } from './icons.js';
import { createMarkdown, plainText } from './markdown.js';
import { failureView, refusalView } from './refusal-view.js';

/**
 * @import {ChatEvent, Notice, Status, Turn, Vote} from '../types.js'
 * @import {StringKey} from '../core/i18n.js'
 * @typedef {import('./citation-view.js').CitationContext & {
 *   language: string,
 *   site: string,
 *   contact: string | null,
 *   searchUrl: (query: string) => string | null,
 *   announce: (message: string) => void,
 *   follow: import('./panel.js').Panel['follow'],
 *   onCopyFailure: (reason: StringKey) => void,
 *   onCode: (body: Element) => void,
 *   onRetry: (turn: Turn) => void,
 *   onRephrase: (query: string) => void,
 *   onWholeSite: (query: string) => void,
 *   onVote: (turn: Turn, vote: Vote) => Promise<{comments_kept?: boolean} | null>,
 * }} TurnContext
 */

/** Below this an answer is shown as uncertain, in red (CONF-6). */
const MEDIUM_FROM = 0.4;

/** From this on it is shown as certain, in green; orange in between. */
const HIGH_FROM = 0.7;

/**
 * Create the view of one question and its answer. Each event adds its part; earlier parts do not move.
 * @param {Turn} first  The turn before the first event.
 * @param {TurnContext} context
 */
export function createTurnView(first, context) {
  const { t, announce, hrefOf } = context;
  const answer = h('div', { class: 'answer', part: 'answer', 'aria-busy': 'true' });
  const element = h('article', { class: 'turn' },
    h('div', { class: 'question', part: 'question' },
      h('span', { class: 'visually-hidden' }, `${t('you')}: `), h('bdi', { dir: directionOf(first.query) }, first.query)),
    answer);
  const footer = h('footer', { class: 'answer-footer' }); // Inserted empty before the sources, so that they do not move.
  let latest = first;
  let line = waitingView();
  /** The last one; null after the line was removed. @type {Status | null} */
  let status = null;
  let prose = startAnswer(first);
  const citing = { ...context, claims: () => latest.end?.claims };
  const copying = { confirmation: t('copied'), announce, onFailure: context.onCopyFailure };

  function waitingView() {
    return h('p', { class: 'waiting', part: 'status' }, h('span', { class: 'dots', 'aria-hidden': 'true' }), waitingText(first, context));
  }

  /** @param {Turn} turn */
  function startAnswer(turn) {
    const body = h('div', { class: 'prose', dir: 'auto', onclick: (/** @type {MouseEvent} */ event) => {
      /** @type {HTMLAnchorElement | null} */
      const link = /** @type {Element} */ (event.target).closest('a[href]:not(.cite)');
      if (link) context.onFollow(event, { url: link.href }, []); // Quoted links use the site's router, like citations.
    } });
    answer.replaceChildren(noticesView(turn.notices), body, line);
    answer.setAttribute('aria-busy', 'true');
    footer.replaceChildren();
    let markers = 0;
    // A marker becomes a link when the sources arrive.
    const marker = (/** @type {number} */ n) => h('a', { class: 'cite', part: 'cite', 'data-n': n, 'data-place': markers++ }, String(n));
    return { body, markdown: createMarkdown(body, marker) };
  }

  function endWaiting() {
    line.remove();
    status = null;
  }

  /** Link the markers to their sources. In a complete answer, a marker without a source becomes text. @param {Turn} turn */
  function linkMarkers({ citations, outcome }) {
    for (const marker of prose.body.querySelectorAll('.cite:not([href])')) {
      const n = Number(marker.getAttribute('data-n'));
      const citation = citations.find((source) => source.n === n);
      const href = citation && hrefOf(citation);
      if (!citation && outcome === 'answered') marker.replaceWith(`[${n}]`);
      if (!citation || !href) continue;
      marker.setAttribute('href', href);
      marker.setAttribute('aria-label', t('citation', { n: String(n), title: nameOf(citation) }));
      marker.classList.toggle('unverified', citation.verified === false);
      marker.addEventListener('click', (event) => context.onFollow(/** @type {MouseEvent} */ (event), citation,
        citedWords(citation, citing.claims(), Number(marker.getAttribute('data-place')))));
    }
  }

  /** @param {Turn} turn */
  function finishProse(turn) {
    prose.markdown.end();
    endWaiting();
    answer.removeAttribute('aria-busy');
    linkMarkers(turn);
    const blocks = prose.body.querySelectorAll('pre');
    for (const pre of blocks) {
      const code = pre.textContent ?? '';
      pre.append(copyButton({ label: t('copyCode'), text: () => code, ...copying }));
    }
    if (blocks.length > 0) context.onCode(prose.body);
  }

  /** @type {{[K in ChatEvent['type']]: (turn: Turn, event: Extract<ChatEvent, {type: K}>) => void}} */
  const draw = {
    status(turn, event) {
      status = event.status;
      import('./status.js').then(({ showStatus }) => {
        if (status === event.status) context.follow(() => showStatus(answer, line, event.status, turn.mode, context), element);
      }, () => {}); // The line keeps its text.
    },
    start(turn, { head }) {
      prose = startAnswer(turn);
      prose.body.before(badgeView(turn, context), noticesView(head.notices ?? []));
    },
    delta(_, { text }) {
      if (status?.phase !== 'checking') endWaiting();
      if (prose.body.dir === 'auto') prose.body.dir = directionOf(text);
      prose.markdown.write(text);
    },
    sources(turn, { citations }) {
      endWaiting();
      linkMarkers(turn);
      if (citations.length > 0) answer.append(footer, sourcesView(citations, citing));
    },
    end(turn) {
      finishProse(turn);
      if (!footer.isConnected) answer.append(footer);
      footer.append(confidenceView(turn, context), actionsView(turn, prose.body));
    },
    refusal(turn, { refusal }) {
      finishProse(turn);
      const body = refusalView(refusal, {
        ...context,
        onRephrase: () => context.onRephrase(turn.query),
        onWholeSite: () => context.onWholeSite(turn.query),
      });
      footer.replaceChildren(actionsView(turn, body));
      answer.replaceChildren(noticesView(turn.notices), badgeView(turn, context), noticesView(refusal.notices ?? []), body, footer);
    },
    failure(turn, { failure }) {
      finishProse(turn);
      answer.append(failureView(turn, failure, { ...context, onRetry: () => context.onRetry(turn) }));
    },
  };

  /** Create the buttons to copy and to vote. @param {Turn} turn @param {Element} body */
  function actionsView(turn, body) {
    const load = () => import('./answer-copy.js');
    const text = () => load().then(({ answerAsMarkdown }) => answerAsMarkdown(turn, hrefOf, t));
    const html = () => load().then(({ answerAsHtml }) => answerAsHtml(body, turn.refusal ? [] : turn.citations, hrefOf));
    const link = () => {
      const url = new URL(location.href);
      url.hash = '';
      url.searchParams.set('ask', turn.query); // `deep-link.js` reads it.
      return url.href;
    };
    return h('div', { class: 'actions' }, copyButton({ label: t('copy'), text, html, ...copying }),
      copyButton({ label: t('copyLink'), text: link, symbol: LINK, ...copying }),
      voteButton(turn, 'up', t('helpful'), UP), voteButton(turn, 'down', t('notHelpful'), DOWN));
  }

  /**
   * Create a button that votes. After a vote against the reply is counted, the reader is asked why.
   * @param {Turn} turn
   * @param {Vote['vote']} vote
   * @param {string} label
   * @param {string} path
   */
  function voteButton(turn, vote, label, path) {
    const button = h('button', { type: 'button', class: 'icon-button vote', 'aria-label': label, title: label, 'aria-pressed': 'false',
      onclick: async () => {
        for (const other of footer.querySelectorAll('.vote')) other.setAttribute('aria-pressed', String(other === button));
        const counted = await context.onVote(turn, { vote });
        answer.querySelector('.why')?.remove();
        if (!counted || vote === 'up') return;
        const module = await import('./vote.js').catch(() => null);
        if (module) footer.after(module.reasonsView(turn, counted.comments_kept === true, button, context));
      } }, icon(path));
    return button;
  }

  return {
    element,
    /** Show an event. @param {Turn} turn  The turn after it. @param {ChatEvent} event */
    show(turn, event) {
      latest = turn;
      draw[event.type](turn, /** @type {never} */ (event));
    },
    /** Replace the failure by the status line, below the text that had arrived. */
    waitAgain() {
      line = waitingView();
      answer.querySelector('.failure')?.replaceWith(line);
    },
    /** Return the complete answer as text, for screen readers. */
    text: () => plainText(prose.body),
  };
}

/** @typedef {ReturnType<typeof createTurnView>} TurnView */

/** @param {number} score  0 to 1. */
export function confidenceLevel(score) {
  if (score < MEDIUM_FROM) return 'low';
  return score < HIGH_FROM ? 'medium' : 'high';
}

/** Show an answer's confidence. The other facts unfold on demand. @param {Turn} turn @param {TurnContext} context */
function confidenceView(turn, { t, language }) {
  const score = turn.end?.confidence_score;
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  const confidence = score === undefined ? '' : percent.format(score);
  const facts = h('div');
  const unfold = () => import('./details.js').then(({ detailsView }) => {
    const root = /** @type {ShadowRoot} */ (facts.getRootNode());
    facts.replaceChildren(detailsView(turn, { t, language }, confidence, root));
  }).catch(() => facts.replaceChildren(t('partFailed')));
  if (score === undefined) return h('details', { class: 'meta', ontoggle: unfold }, h('summary', {}, t('details')), facts);
  const level = confidenceLevel(score);
  const pill = h('span', { class: `confidence ${level}`, part: 'confidence' }, `${t(`confidence_${level}`)} · ${confidence}`);
  return h('details', { class: 'meta', ontoggle: unfold }, h('summary', { title: t('details') }, pill), facts);
}

/** Return the text that is shown and announced until a status or an answer arrives. @param {Turn} turn @param {TurnContext} context */
export function waitingText({ mode }, { t, site }) {
  return t(mode === 'selection' ? 'reading' : 'searching', { site });
}

/** @param {Notice[]} notices */
function noticesView(notices) {
  return h('div', {}, ...notices.map(({ message }) => h('p', { class: 'notice', part: 'notice', dir: 'auto' }, message)));
}

/** @param {Turn} turn @param {TurnContext} context */
function badgeView(turn, { t, site, language }) {
  const { mode, built_at: builtAt, scope } = turn.head ?? turn.refusal ?? {};
  const place = (mode ?? turn.mode) === 'selection' ? 'Selection' : 'Site';
  const text = t(`${turn.refusal ? 'searched' : 'basedOn'}${place}`, { site: scope?.site ?? site });
  const date = builtAt && new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(builtAt));
  return h('p', { class: 'badge', part: 'badge' }, text, date && ` · ${t('indexDate', { date })}`);
}
