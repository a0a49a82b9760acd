import { citationNumbered, citedWords, nameOf } from '../core/citations.js';
import { directionOf } from '../core/direction.js';
import { h, icon } from '../dom.js';
import { sourcesView } from './citation-view.js';
import { copyButton } from './clipboard.js';
import { metadataView } from './confidence-view.js';
import { failureView } from './failure-view.js';
import { DOWN, LINK, UP } from './icons.js';
import { createMarkdown } from './markdown.js';
import { plainText } from './plain-text.js';
import { refusalView } from './refusal-view.js';

/**
 * @typedef {import('../types.js').Turn} Turn
 * @typedef {import('../types.js').ChatEvent} ChatEvent
 * @typedef {import('./citation-view.js').CitationContext & {
 *   language: string,
 *   site: string,
 *   contact: string | null,
 *   searchUrl: (query: string) => string | null,
 *   announce: (message: string) => void,
 *   follow: import('./panel.js').Panel['follow'],
 *   onCopyFailure: (why: import('../core/i18n.js').StringKey) => void,
 *   onCode: (body: Element) => void,
 *   onRetry: (turn: Turn) => void,
 *   onRephrase: (query: string) => void,
 *   onWholeSite: (query: string) => void,
 *   onVote: (turn: Turn, vote: import('../types.js').Vote) => Promise<{comments_kept?: boolean} | null>,
 * }} TurnContext
 */

/**
 * One question and its answer. Events draw it piece by piece; nothing drawn is moved or drawn again.
 * @param {Turn} first  The turn as it stands before the first event.
 * @param {TurnContext} context
 */
export function createTurnView(first, context) {
  const { t } = context;
  const answer = h('div', { class: 'answer', part: 'answer', 'aria-busy': 'true' });
  const element = h('article', { class: 'turn' },
    h('div', { class: 'question', part: 'question' },
      h('span', { class: 'visually-hidden' }, `${t('you')}: `), h('bdi', { dir: directionOf(first.query) }, first.query)),
    answer);
  const footer = h('footer', { class: 'answer-footer' }); // Takes its room before it is filled: sources do not move.
  let latest = first;
  let line = waitingView(first, context);
  /** @type {import('../types.js').Status | null} */
  let status = null; // The last one; null once the line has been removed.
  let prose = startAnswer(first);
  const cited = { ...context, claims: () => latest.end?.claims };

  /** @param {Turn} turn */
  function startAnswer(turn) {
    const body = h('div', { class: 'prose', dir: 'auto', onclick: followQuoted });
    answer.replaceChildren(noticesView(turn.notices), body, line);
    answer.setAttribute('aria-busy', 'true');
    footer.replaceChildren();
    let markers = 0;
    return { body, markdown: createMarkdown(body, (n) => markerView(n, markers++)) };
  }

  /**
   * A link of the docs' own words goes where a citation goes: through the site's router, beside the conversation.
   * @param {MouseEvent} event
   */
  function followQuoted(event) {
    /** @type {HTMLAnchorElement | null} */
    const link = /** @type {Element} */ (event.target).closest('a[href]:not(.cite)');
    if (link) context.onFollow(event, { url: link.href }, []);
  }

  function endWaiting() {
    line.remove();
    status = null;
  }

  /** @param {Turn} turn */
  function finishProse(turn) {
    prose.markdown.end();
    endWaiting();
    answer.removeAttribute('aria-busy');
    linkMarkers(prose.body, turn, cited);
    const blocks = prose.body.querySelectorAll('pre');
    for (const pre of blocks) pre.append(copyCode(pre, context));
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
      linkMarkers(prose.body, turn, cited);
      if (citations.length > 0) answer.append(footer, sourcesView(citations, cited));
    },
    end(turn) {
      finishProse(turn);
      if (!footer.isConnected) answer.append(footer);
      footer.append(...footerView(turn, prose.body, context));
    },
    refusal(turn, { refusal }) {
      finishProse(turn);
      const body = refusalView(refusal, {
        ...context,
        onRephrase: () => context.onRephrase(turn.query),
        onWholeSite: () => context.onWholeSite(turn.query),
      });
      footer.replaceChildren(...footerView(turn, body, context));
      answer.replaceChildren(noticesView(turn.notices), badgeView(turn, context), noticesView(refusal.notices ?? []), body, footer);
    },
    failure(turn, { failure }) {
      finishProse(turn);
      answer.append(failureView(turn, failure, { ...context, onRetry: () => context.onRetry(turn) }));
    },
  };

  return {
    element,
    /**
     * @param {Turn} turn  The turn after the event.
     * @param {ChatEvent} event
     */
    show(turn, event) {
      latest = turn;
      draw[event.type](turn, /** @type {never} */ (event));
    },
    /**
     * Wait again, below what had arrived.
     * @param {Turn} turn
     */
    waitAgain(turn) {
      line = waitingView(turn, context);
      answer.querySelector('.failure')?.replaceWith(line);
    },
    /** What a screen reader is told once the answer is complete. */
    spoken: () => plainText(prose.body),
  };
}

/** @typedef {ReturnType<typeof createTurnView>} TurnView */

/**
 * @param {Turn} turn
 * @param {TurnContext} context
 */
function waitingView(turn, context) {
  return h('p', { class: 'waiting', part: 'status' }, h('span', { class: 'dots', 'aria-hidden': 'true' }), waitingText(turn, context));
}

/**
 * What is shown and announced until there is a status or an answer.
 * @param {Turn} turn
 * @param {TurnContext} context
 */
export function waitingText({ mode }, { t, site }) {
  return t(mode === 'selection' ? 'reading' : 'searching', { site });
}

/** @param {import('../types.js').Notice[]} notices */
function noticesView(notices) {
  const items = notices.map(({ message }) => h('p', { class: 'notice', part: 'notice', dir: 'auto' }, message));
  return h('div', {}, ...items);
}

/**
 * @param {Turn} turn
 * @param {TurnContext} context
 */
function badgeView(turn, { t, site, language }) {
  const { mode, built_at: builtAt, scope } = turn.head ?? turn.refusal ?? {};
  const place = (mode ?? turn.mode) === 'selection' ? 'Selection' : 'Site';
  const text = t(`${turn.refusal ? 'searched' : 'basedOn'}${place}`, { site: scope?.site ?? site });
  const date = builtAt && new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(builtAt));
  return h('p', { class: 'badge', part: 'badge' }, text, date && ` · ${t('indexDate', { date })}`);
}

/**
 * A citation's chip in the text; it becomes a link when the sources arrive.
 * @param {number} n
 * @param {number} place  Among the answer's.
 */
function markerView(n, place) {
  return h('a', { class: 'cite', part: 'cite', 'data-n': n, 'data-place': place }, String(n));
}

/**
 * Link the chips to their sources. Once the answer is complete, a number that names none is text like any other.
 * @param {Element} body
 * @param {Turn} turn
 * @param {TurnContext} context
 */
function linkMarkers(body, turn, context) {
  for (const chip of body.querySelectorAll('.cite:not([href])')) {
    const n = Number(chip.getAttribute('data-n'));
    const citation = citationNumbered(turn.citations, n);
    const href = citation && context.hrefOf(citation);
    if (!citation && turn.outcome === 'answered') chip.replaceWith(`[${n}]`);
    if (!citation || !href) continue;
    chip.setAttribute('href', href);
    chip.setAttribute('aria-label', context.t('citation', { n: String(n), title: nameOf(citation) }));
    chip.classList.toggle('unverified', citation.verified === false);
    chip.addEventListener('click', (event) => context.onFollow(/** @type {MouseEvent} */ (event), citation,
      citedWords(citation, context.claims?.(), Number(chip.getAttribute('data-place')))));
  }
}

/**
 * @param {HTMLPreElement} pre
 * @param {TurnContext} context
 */
function copyCode(pre, { t, announce, onCopyFailure: onFailure }) {
  const code = pre.textContent ?? '';
  return copyButton({ label: t('copyCode'), confirmation: t('copied'), text: () => code, announce, onFailure });
}

/**
 * @param {Turn} turn
 * @param {Element} body
 * @param {TurnContext} context
 */
function footerView(turn, body, context) {
  const { t, announce, hrefOf, onCopyFailure: onFailure } = context;
  const told = { confirmation: t('copied'), announce, onFailure };
  const load = () => import('./answer-copy.js');
  const text = () => load().then(({ answerAsMarkdown }) => answerAsMarkdown(turn, (citation) => hrefOf(citation) ?? '', t));
  const html = () => load().then(({ richAnswer }) => richAnswer(body, turn.refusal ? [] : turn.citations, hrefOf));
  const actions = h('div', { class: 'actions' }, copyButton({ label: t('copy'), text, html, ...told }),
    copyButton({ label: t('copyLink'), text: () => linkTo(turn.query), symbol: LINK, ...told }));
  actions.append(...votesView(turn, actions, context));
  return turn.refusal ? [actions] : [metadataView(turn, context), actions];
}

/**
 * The page's address, with a question that whoever opens it finds typed in.
 * @param {string} query
 */
function linkTo(query) {
  const url = new URL(location.href);
  url.hash = '';
  url.searchParams.set('ask', query);
  return url.href;
}

/**
 * Two votes. One against the reply asks why, as soon as it is counted.
 * @param {Turn} turn
 * @param {HTMLElement} actions
 * @param {TurnContext} context
 */
function votesView(turn, actions, context) {
  const { t } = context;
  const button = (/** @type {import('../types.js').Vote['vote']} */ vote, /** @type {string} */ label, /** @type {string} */ path) => {
    const element = h('button', { type: 'button', class: 'icon-button vote', 'aria-label': label, title: label, 'aria-pressed': 'false',
      onclick: async () => {
        for (const other of actions.querySelectorAll('.vote')) other.setAttribute('aria-pressed', String(other === element));
        const counted = await context.onVote(turn, { vote });
        actions.parentElement?.parentElement?.querySelector('.why')?.remove();
        if (!counted || vote === 'up') return;
        const why = await import('./vote.js').catch(() => null);
        if (why) actions.parentElement?.after(why.reasonsView(turn, counted.comments_kept === true, element, context));
      } }, icon(path));
    return element;
  };
  return [button('up', t('helpful'), UP), button('down', t('notHelpful'), DOWN)];
}
