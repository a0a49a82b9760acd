import { citedWords, groupSources, nameOf, trailOf, typeLabel, VISIBLE_SOURCES } from '../core/citations.js';
import { directionOf, h, icon } from '../dom.js';
import { CHEVRON } from './icons.js';

/**
 * @import {Citation, Claim} from '../types.js'
 * @import {Translate} from '../core/i18n.js'
 * @typedef {Pick<Citation, 'url' | 'stable_id'>} Place  A citation, or the target of a link, which has no ID.
 * @typedef {object} CitationContext
 * @property {Translate} t
 * @property {(citation: Citation) => string | null} hrefOf  Returns the absolute, safe URL of a citation.
 * @property {(event: MouseEvent, place: Place, words: string[]) => void} onFollow  Called for a click on a link to cited `words`.
 * @property {() => Claim[] | undefined} [claims]  Those of the answer, once it is complete.
 */

/**
 * Show the sources of an answer: grouped if there are several types, further ones behind a button.
 * @param {Citation[]} citations
 * @param {CitationContext} context
 */
export function sourcesView(citations, context) {
  const { t } = context;
  const hidden = citations.length - VISIBLE_SOURCES;
  const list = h('div', { class: 'source-list' }, ...groupsView(citations.slice(0, VISIBLE_SOURCES), context));
  const more = h('button', { type: 'button', class: 'link-button', onclick: () => {
    list.replaceChildren(...groupsView(citations, context));
    /** @type {HTMLElement | null} */ (list.querySelectorAll('a')[VISIBLE_SOURCES])?.focus();
    more.remove();
  } }, t('showMore', { n: Math.max(0, hidden) }));
  return h('section', { class: 'sources', part: 'sources' }, h('h3', {}, t('sources')), list, hidden > 0 && more);
}

/** @param {Citation[]} citations @param {CitationContext} context */
function groupsView(citations, context) {
  const groups = groupSources(citations);
  const named = groups.length > 1 && groups.every(({ citations: members }) => members.length > 1); // Not over a single source.
  return groups.flatMap(({ type, citations: members }) => [
    named && h('h4', {}, typeLabel(type, context.t)),
    h('ol', { class: 'group' }, ...members.map((member) => citationView(member, context))),
  ].filter((node) => node !== false));
}

/** @param {Citation} citation @param {CitationContext} context */
export function citationView(citation, { t, hrefOf, onFollow, claims }) {
  const unverified = citation.verified === false;
  const name = nameOf(citation);
  const trail = trailOf(citation);
  const href = hrefOf(citation);
  const title = h('bdi', { dir: directionOf(name) }, name);
  const follow = (/** @type {MouseEvent} */ event) => onFollow(event, citation, citedWords(citation, claims?.()));
  const excerpt = citation.excerpt && excerptView(citation.excerpt, name, t);
  return h('li', { class: unverified ? 'citation unverified' : 'citation', part: 'citation' },
    !!citation.n && h('span', { class: 'number' }, String(citation.n)),
    h('div', { class: 'citation-body' },
      h('div', { class: 'citation-head' },
        h(href ? 'a' : 'span', { class: 'citation-title', href, onclick: href && follow }, title),
        excerpt && excerpt.button),
      trail.length > 0 && h('div', { class: 'trail' }, h('bdi', { dir: directionOf(trail.join('')) }, trail.join(' › '))),
      unverified && h('span', { class: 'tag' }, t('unverified')),
      citation.lost && h('div', { class: 'trail' }, t(citation.url ? 'lostNearest' : 'lost')),
      excerpt && excerpt.passage));
}

/** @param {string} text @param {string} name @param {Translate} t */
function excerptView(text, name, t) {
  const passage = h('blockquote', { class: 'excerpt', dir: directionOf(text), hidden: true }, text);
  const button = h('button', { type: 'button', class: 'icon-button expand', 'aria-expanded': 'false',
    'aria-label': `${t('showExcerpt')}: ${name}`, onclick: () => {
      passage.hidden = !passage.hidden;
      button.setAttribute('aria-expanded', String(!passage.hidden));
    } }, icon(CHEVRON));
  return { passage, button };
}
