import { boundScopes } from '../search/files.js';
import { stripped, termsOf } from './query.js';
import { every, rules } from './rules.js';
/** @import {ChatRequest, Notice} from '../types.js' */
/** @import {AnswerContext, Citation, Claim, Library, Place, QuestionContext, RankedSection, ScoredUnit, SearchResult} from './types.js' */

/**
 * Replies from their parts: answers, and refusals with suggestions and the nearest sections (`answering/replies.py`). Every field of a
 * citation is of the index, every URL the page's own plus an anchor that exists (`answering/citations.py`).
 */

/** @typedef {{text: string, citations: Citation[], claims: Claim[], evidence: number, documents: number, likelihood: number}} Answer */
/** @typedef {{nearest?: Citation[], evidence?: number, suggestions?: string[], learning?: string[], reasons?: string[]}} Refusal */

/** The fields that every reply begins with. @param {Library} library @param {ChatRequest} request @param {Notice[]} notices */
export function headOf({ manifest, locale, shards }, request, notices) {
  const bound = boundScopes(manifest, { version: request.scope?.version, locale, path: request.page_url });
  const named = bound.length > 0 ? bound : shards.map(({ entry }) => entry).filter(({ version }) => version !== null);
  const only = named.length === 1 || bound.length > 0 ? named[0] : null;
  const [version, label, pluginId] = [only?.version ?? null, only?.version_label ?? null, named.length === 1 ? named[0].plugin : null];
  return {
    message_id: request.message_id ?? '', session_id: request.session_id ?? '', index_id: manifest.index_id, built_at: manifest.built_at ?? null,
    mode: /** @type {'corpus' | 'selection'} */ ('corpus'), notices, scope: { locale, version, version_label: label, plugin_id: pluginId },
  };
}

/** `likelihood` is that an answer from several documents is useful. @param {QuestionContext} context @param {Answer} answer */
export function answerReply({ head }, { text, citations, claims, evidence, documents, likelihood }) {
  const confidence = rounded(documents === 1 ? rules.guards.one_document + rules.guards.passed : likelihood, 2);
  return {
    type: /** @type {const} */ ('answer'), ...head, composer: 'extractive', answer: text, citations, claims, confidence_score: confidence,
    evidence: rounded(evidence, 4),
    validation_info: { passed: true, reasons: [], used_fallback: false, confidence_score: confidence, context_docs_count: documents },
    learning_suggestions: [], timings_ms: {},
  };
}

/** @param {QuestionContext} context @param {string} code @param {string} message @param {Refusal} told */
export function refusalReply({ head, say, docs }, code, message, told) {
  const { nearest = [], evidence = 0, suggestions = ['contact', 'rephrase'], learning = [], reasons = [] } = told;
  return {
    type: /** @type {const} */ ('refusal'), ...head, code, message, reasons,
    suggestions: [
      ...docs ? [{ code: 'docs_language', text: say('suggest_language', { name: docs }) }] : [],
      ...suggestions.map((name) => ({ code: name, text: say(rules.question.suggestions[name]) })),
    ],
    nearest, evidence: rounded(evidence, 4),
    validation_info: { passed: false, reasons: [code], used_fallback: false, confidence_score: 0, context_docs_count: 0 },
    learning_suggestions: learning, timings_ms: {},
  };
}

/**
 * Up to three of the question's words, highest IDF first, whose terms are not all held.
 * @param {Library} library @param {SearchResult} result @param {Set<string>} [held]
 */
export function missingTopics(library, { query, idf }, held = new Set()) {
  const { around_words: marks, topics } = rules.question;
  const words = new Set(query.text.split(/\s+/u).map((word) => stripped(word, marks)).filter(Boolean));
  return [...words].map((word) => {
    const terms = termsOf(library, word);
    const isTold = terms.every((term) => held.has(term)) || terms.every((term) => library.lexicon.isSmall(term));
    return { word, score: isTold ? 0 : Math.max(0, ...terms.map((term) => idf.get(term) ?? 0)) };
  }).filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).slice(0, topics).map(({ word }) => word);
}

/** @param {number} value @param {number} digits */
const rounded = (value, digits) => Number(value.toFixed(digits));

/**
 * Numbers the places of statements, each shown by its statement nearest to the question, and adds sections: five citations in all.
 * @param {AnswerContext} context @param {ScoredUnit[]} statements
 */
export async function citeAll(context, statements) {
  /** @type {Map<string, ScoredUnit>} */
  const places = new Map();
  for (const statement of statements) {
    const known = places.get(statement.place.id);
    if (!known || statement.score > known.score) places.set(statement.place.id, statement);
  }
  const numbers = new Map([...places.keys()].map((id, at) => [id, at + 1]));
  const used = [...places.values()].map(({ place, text, facts, ordinal }, at) => (
    citePlace(place, at + 1, excerptOf(text), facts.chunk + ordinal)));
  const taken = new Set([...statements.map(({ facts }) => facts.places[0].id), ...numbers.keys()]);
  /** @type {RankedSection[]} */
  const rest = [];
  for (const section of context.result.sections) {
    const { place, own } = await landingOf(context, section);
    if (!taken.has(own.id) && !taken.has(place.id)) rest.push(section);
  }
  const further = spread(rest, [...places.values()].map(({ place }) => place.url));
  return { numbers, citations: [...used, ...await nearestCitations(context, further)] };
}

/**
 * The best sections for the citations that are left beside some pages; four of one page at most, if there are others.
 * @param {RankedSection[]} sections @param {string[]} pages
 */
function spread(sections, pages) {
  const kept = sections.filter(fewOfAPage(rules.citations.of_one_page, pages));
  return [...kept, ...sections.filter((section) => !kept.includes(section))].slice(0, Math.max(0, rules.citations.most - pages.length));
}

/** Keeps at most so many sections of a page; each of `pages` counts as one. @param {number} most @param {string[]} [pages] */
export function fewOfAPage(most, pages = []) {
  const seen = [...pages];
  return (/** @type {RankedSection} */ { shard, section }) => {
    const { url } = shard.sections[section];
    seen.push(url);
    return seen.filter((page) => page === url).length <= most;
  };
}

/** Unnumbered citations of some sections. @param {QuestionContext} context @param {RankedSection[]} sections */
export function nearestCitations(context, sections) {
  return Promise.all(sections.map(async (section) => {
    const { place, chunk, text } = await landingOf(context, section);
    return citePlace(place, null, excerptOf(text), chunk);
  }));
}

/** The place that a section is cited by, and the text there. @param {QuestionContext} context @param {RankedSection} section */
async function landingOf({ aboutAssistants }, { shard, section, part, unit, landsOnUnit }) {
  const [{ places, chunk, firstPart }, text, units] = await Promise.all([shard.factsOf(section), shard.text(part), shard.unitsOf(part)]);
  const near = unit === null ? undefined : units[unit];
  const shown = near && (aboutAssistants || !near.injection) ? near : undefined;
  const last = aboutAssistants || !units.at(-1)?.injection ? text.length : units.findLast(({ injection }) => !injection)?.end ?? 0;
  const place = places[landsOnUnit && shown ? shown.place : 0];
  return { place, own: places[0], chunk: chunk + part - firstPart, text: text.slice(shown?.start ?? 0, last) };
}

/** The sections whose best part does not only address an assistant. @param {QuestionContext} context @param {RankedSection[]} sections */
export async function readableSections({ aboutAssistants }, sections) {
  const read = await Promise.all(sections.map(({ shard, part }) => shard.unitsOf(part)));
  return sections.filter((_, at) => aboutAssistants || read[at].length === 0 || !read[at][0].injection);
}

/** `n` is null if it is not used. @param {Place} place @param {number | null} n @param {string} excerpt @param {number | null} chunk */
export function citePlace(place, n, excerpt, chunk) {
  const { url, anchor, fragment } = place;
  return {
    ...place.cited, n, used: n !== null,
    stable_id: place.id, title: place.title, heading_path: place.path, section: place.section, page: place.page,
    url: /** @type {string | null} */ (anchor ? `${url}#${fragment}` : url),
    anchor: anchor || null, chunk_id: chunk, source_type: place.sourceType, excerpt, verified: true,
  };
}

/** The start of a text on one line, without the fences of code, cut after a whole word. @param {string} text */
export function excerptOf(text) {
  const { fence, excerpt } = rules.citations;
  const flat = text.replace(every(fence), '').split(/\s+/u).filter(Boolean).join(' ');
  const signs = [...flat];
  if (signs.length <= excerpt) return flat;
  const cut = signs.slice(0, excerpt).join('');
  const blank = cut.lastIndexOf(' ');
  return `${(blank < 0 ? cut : cut.slice(0, blank)).replace(/[,;:]+$/u, '')}…`;
}

/** A page's path, by which two spellings of its address are the same page. @param {string} url  Absolute or from the root. */
export function pathOf(url) {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/iu, '').split(/[?#]/u, 1)[0];
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // Its percent signs are letters.
  }
  return decoded.replace(/(?:\/index)?\.html$/u, '').replace(/\/$/u, '') || '/';
}
