import { citedWords, groupSources, nameOf, trailOf, typeLabel, VISIBLE_SOURCES } from '../core/citations.js';
import { directionOf } from '../core/direction.js';
import { h, icon } from '../dom.js';
import { CHEVRON } from './icons.js';

/**
 * @typedef {import('../types.js').Citation} Citation
 * @typedef {Pick<Citation, 'url' | 'stable_id'>} Place  A citation, or what a link leads to, which has no ID.
 * @typedef {object} CitationContext
 * @property {import('../core/i18n.js').Translate} t
 * @property {(citation: Citation) => string | null} hrefOf  The absolute, safe URL of a citation.
 * @property {(event: MouseEvent, place: Place, words: string[]) => void} onFollow  A click on a link; the words are what it cites.
 * @property {() => import('../types.js').Claim[] | undefined} [claims]  Those of the answer, once it is complete.
 */

/**
 * The sources under an answer: grouped once there are several kinds, the fourth and on behind a button.
 * @param {Citation[]} citations
 * @param {CitationContext} context
 * @returns {HTMLElement}
 */
export function sourcesView(citations, context) {
  const { t } = context;
  const shown = citations.slice(0, VISIBLE_SOURCES);
  const rest = citations.slice(VISIBLE_SOURCES);
  const list = h('div', { class: 'source-list' }, ...groupsView(shown, context));
  const more = h('button', { type: 'button', class: 'link-button', onclick: () => {
    list.replaceChildren(...groupsView(citations, context));
    /** @type {HTMLElement | null} */ (list.querySelectorAll('a')[VISIBLE_SOURCES])?.focus();
    more.remove();
  } }, t('showMore', { n: rest.length }));
  return h('section', { class: 'sources', part: 'sources' }, h('h3', {}, t('sources')), list, rest.length > 0 && more);
}

/**
 * The sections nearest to a question the docs do not answer.
 * @param {Citation[]} citations
 * @param {CitationContext} context
 */
export function nearestView(citations, context) {
  const items = citations.map((citation) => citationView(citation, context));
  return h('section', { class: 'sources' }, h('h3', {}, context.t('nearest')), h('ul', { class: 'group' }, ...items));
}

/**
 * @param {Citation[]} citations
 * @param {CitationContext} context
 */
function groupsView(citations, context) {
  const groups = groupSources(citations);
  const named = groups.length > 1 && groups.every(({ citations: members }) => members.length > 1); // A heading over one card is noise.
  return groups.flatMap(({ type, citations: members }) => [
    named && h('h4', {}, typeLabel(type, context.t)),
    h('ol', { class: 'group' }, ...members.map((member) => citationView(member, context))),
  ].filter((node) => node !== false));
}

/**
 * @param {Citation} citation
 * @param {CitationContext} context
 */
function citationView(citation, context) {
  const { t } = context;
  const unverified = citation.verified === false;
  const trail = trailOf(citation);
  const excerpt = citation.excerpt && excerptView(citation.excerpt, nameOf(citation), t);
  return h('li', { class: unverified ? 'citation unverified' : 'citation', part: 'citation' },
    !!citation.n && h('span', { class: 'number' }, String(citation.n)),
    h('div', { class: 'citation-body' },
      h('div', { class: 'citation-head' }, titleView(citation, context), excerpt && excerpt.button),
      trail.length > 0 && h('div', { class: 'trail' }, h('bdi', { dir: directionOf(trail.join('')) }, trail.join(' › '))),
      unverified && h('span', { class: 'tag' }, t('unverified')),
      citation.lost && h('div', { class: 'trail' }, t(citation.url ? 'lostNearest' : 'lost')),
      excerpt && excerpt.passage));
}

/**
 * @param {Citation} citation
 * @param {CitationContext} context
 */
function titleView(citation, { hrefOf, onFollow, claims }) {
  const href = hrefOf(citation);
  const title = h('bdi', { dir: directionOf(nameOf(citation)) }, nameOf(citation));
  if (!href) return h('span', { class: 'citation-title' }, title);
  return h('a', { class: 'citation-title', href,
    onclick: (/** @type {MouseEvent} */ event) => onFollow(event, citation, citedWords(citation, claims?.())) }, title);
}

/**
 * @param {string} text
 * @param {string} name
 * @param {import('../core/i18n.js').Translate} t
 */
function excerptView(text, name, t) {
  const passage = h('blockquote', { class: 'excerpt', dir: directionOf(text), hidden: true }, text);
  const button = h('button', { type: 'button', class: 'icon-button expand', 'aria-expanded': 'false',
    'aria-label': `${t('showExcerpt')}: ${name}`, onclick: () => {
      passage.hidden = !passage.hidden;
      button.setAttribute('aria-expanded', String(!passage.hidden));
    } }, icon(CHEVRON));
  return { passage, button };
}
