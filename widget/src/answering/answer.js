import { primary } from '../search/files.js';
import { citeAll, nearestCitations, readableSections } from './citations.js';
import { composePassages } from './compose.js';
import { expandFollowUp } from './follow-ups.js';
import { askedIn, foreignLanguage, messageLanguage } from './language-detection.js';
import { linkedSections, nearestOfBoth } from './linked-sections.js';
import { asksAboutAssistants, corpusName, crossedBoundary, languagesToAskIn, nameOf, phrasesOf, requestsOf, wordingIn } from './phrases.js';
import { search } from './ranking.js';
import { cellsOf, markersOf, renderPassages } from './render.js';
import { answerReply, headOf, missingTopics, refusalReply } from './replies.js';
import { logistic, rules, sum } from './rules.js';
import { selectionAnswer, selectionProblem } from './selection.js';
/** @import {ChatRequest, Notice} from '../types.js' */
/** @import {Embedded, Encode, Library, Passage, QuestionContext, RankedSection, Reply, ScoredUnit, SearchResult} from './types.js' */

/** The reply to a question, as the sidecar gives it for `POST /api/chat` without streaming (`answering/pipeline.py`, `corpus_mode.py`). */

/** @param {ChatRequest} request */
const wordsOf = ({ query }) => query.slice(0, rules.question.max_query);

/**
 * The question, expanded if it is a follow-up: `parseQuery` of it is embedded for `answer`.
 * @param {Library} library
 * @param {ChatRequest} request
 */
export async function questionOf(library, request) {
  const query = wordsOf(request).trim();
  const requests = await requestsOf(library);
  if (request.mode === 'selection' || !request.turns?.length || crossedBoundary(query, requests)) return query;
  return await expandFollowUp(library, requests, query, request.turns.map((turn) => turn.query)) ?? query;
}

/**
 * The locale of a question that is surely in another language of the site than the reader's page; else null.
 * @param {Library} library
 * @param {ChatRequest} request
 */
export async function localeOf(library, request) {
  if (request.mode === 'selection') return null;
  const foreign = foreignLanguage(wordsOf(request), library.locale, await requestsOf(library));
  return library.manifest.scopes.find(({ locale }) => foreign !== null && primary(locale) === foreign)?.locale ?? null;
}

/**
 * @param {Library} library
 * @param {ChatRequest} request
 * @param {Embedded | null} embedded  Of `parseQuery(library, await questionOf(library, request)).text`.
 * @param {Encode} [encode]  For passages that a reader selected.
 * @returns {Promise<Reply>}
 */
export async function answer(library, request, embedded, encode) {
  let context = await contextOf(library, request);
  if (request.mode === 'selection') {
    const problem = selectionProblem(request.selection);
    if (!problem) return selectionAnswer(context, embedded, encode);
    context = withNotice(context, problem);
  }
  const { say, requests, query, head, library: { facts } } = context;
  if (library.shards.length === 0) return refusalReply(context, 'empty_index', say('empty_index'), { suggestions: ['contact'] });
  const boundary = crossedBoundary(query, requests);
  if (!boundary) return answerFromCorpus(context, embedded);
  const date = (head.built_at ?? '').slice(0, 10);
  const key = boundary === 'realtime' && !date ? 'capability_realtime_undated' : `capability_${boundary}`;
  const message = say(key, { corpus: corpusName(facts.title, say), date });
  return refusalReply(context, 'capability', message, { suggestions: ['rephrase', 'other_topic'] });
}

/** @param {Library} library @param {ChatRequest} request @returns {Promise<QuestionContext>} */
async function contextOf(library, request) {
  const requests = await requestsOf(library);
  const query = await questionOf(library, request);
  const asked = wordsOf(request).trim();
  const foreign = foreignLanguage(query, library.locale, requests);
  const language = messageLanguage(asked, foreign ?? library.locale, requests);
  const say = await wordingIn(library, language);
  const docs = foreign ? languagesToAskIn(library, language) : '';
  const page = library.manifest.scopes.find(({ locale }) => locale === request.scope?.locale);
  const phrases = await phrasesOf(library, askedIn(query, library.locale, requests));
  const aboutAssistants = asksAboutAssistants(query, requests);
  /** @type {QuestionContext} */
  const context = { library, request, requests, phrases, query, language, say, docs, aboutAssistants, head: headOf(library, request) };
  const notices = [
    page && primary(page.locale) !== library.language && { code: 'own_language_searched', message: say('own_language_searched', { name: nameOf(library.locale, language) }) },
    query !== asked && { code: 'question_rewritten', message: say('question_rewritten', { query }) },
    docs && { code: 'docs_language', message: say('docs_language', { name: docs }) },
    request.query.length > rules.question.max_query && 'query_truncated',
  ];
  return notices.reduce((one, notice) => (notice ? withNotice(one, notice) : one), context);
}

/** @param {QuestionContext} context @param {Notice | string} notice  Itself, or its code. @returns {QuestionContext} */
function withNotice(context, notice) {
  const told = typeof notice === 'string' ? { code: notice, message: context.say(notice) } : notice;
  return { ...context, head: { ...context.head, notices: [...context.head.notices, told] } };
}

/** @param {QuestionContext} context @param {Embedded | null} embedded */
async function answerFromCorpus(context, embedded) {
  const { library, say, library: { facts: { threshold } } } = context;
  const found = await search(library, context.query, embedded, rules.question.candidates);
  const result = { ...found, sections: await readableSections(context, await distinct(found.sections)) };
  const { evidence, sections } = result;
  const learning = missingTopics(library, result);
  const refuse = async (/** @type {string} */ message, nearest = sections, missing = learning) => refusalReply(context, 'no_evidence', message, {
    nearest: await nearestCitations(context, nearest.slice(0, rules.question.nearest)), evidence, learning: missing });
  if (evidence < threshold) {
    return refuse(say('no_evidence'), evidence >= rules.question.weak * threshold ? await secondStep(context, embedded, sections) : sections);
  }
  const passages = await composePassages({ ...context, embedded, result });
  const statements = passages.flatMap((passage) => passage.statements);
  if (statements.some((statement) => statement.unproved)) return refuse(fallback(context), sections, []);
  if (passages.length === 0) return refuse(say('no_evidence'));
  const { numbers, citations } = await citeAll({ ...context, embedded, result }, statements);
  const noted = passages.some(({ facts }) => facts.untranslated) ? withNotice(context, 'untranslated') : context;
  return answerReply(noted, {
    mode: 'corpus', text: renderPassages(passages, numbers), citations, evidence, documents: Math.min(sections.length, rules.citations.most),
    claims: claimsOf(passages, numbers), likelihood: likelihoodOf(result, passages, library.facts.likelihood),
  });
}

/** Of sections whose best parts are the same words, the best one alone. @param {RankedSection[]} sections */
async function distinct(sections) {
  /** @type {Map<string, RankedSection>} */
  const said = new Map();
  for (const section of sections) {
    const text = await section.shard.text(section.part);
    if (!said.has(text)) said.set(text, section);
    if (said.size === rules.question.sections) break;
  }
  return [...said.values()];
}

/**
 * The nearest sections, also of those that they link to and that are around them.
 * @param {QuestionContext} context
 * @param {Embedded | null} embedded
 * @param {RankedSection[]} sections
 */
async function secondStep(context, embedded, sections) {
  const nearest = sections.slice(0, rules.question.nearest);
  return nearestOfBoth(nearest, await readableSections(context, await linkedSections(context.library, embedded, nearest)));
}

/** @param {QuestionContext} context */
function fallback({ say, library: { facts }, head }) {
  const date = (head.built_at ?? '').slice(0, 10);
  const reason = say('because_unsupported_number');
  return say(date ? 'fallback' : 'fallback_undated', { corpus: corpusName(facts.title, say), date, reason });
}

/**
 * The probability that readers find an answer useful (`answering/corpus/likelihood.py`).
 * @param {SearchResult} result
 * @param {Passage[]} passages
 * @param {Record<string, number>} weights
 */
function likelihoodOf({ sections, zScore, hasVectors }, passages, weights) {
  const shown = passages.flatMap(({ statements }) => statements);
  const signals = {
    margin: sections[0].score - sections[sections.length - 1].score,
    nearest: hasVectors ? Math.max(...shown.map(({ score }) => score)) : rules.scoring.usual_nearest,
    z_score: zScore,
    code: Number(passages[0].statements.some(({ kind }) => kind === 'code')),
    shown: sum(shown.map(({ text }) => text.split(/\s+/u).filter(Boolean).length)) / rules.scoring.hundred,
  };
  return logistic(Object.entries(signals).reduce((total, [name, value]) => total + (weights[name] ?? 0) * value, weights.bias));
}

/**
 * The statements, word for word as the docs have them, with their places.
 * @param {Passage[]} passages
 * @param {Map<string, number>} numbers
 */
function claimsOf(passages, numbers) {
  const markers = markersOf(passages, numbers);
  return passages.flatMap(({ statements }) => statements).map((statement, at) => {
    const { text, place } = statement;
    const marker = markers[at];
    return {
      text, support: 'quoted', citations: [numbers.get(place.id) ?? 0], quote: plainText(statement),
      markers: marker === null ? [] : [marker],
    };
  });
}

/** A unit without fences and backticks; of a row the cells, a tab between them, without their columns. @param {ScoredUnit} statement */
function plainText(statement) {
  if (statement.kind === 'code') return statement.text.split('\n').slice(1, -1).join('\n');
  const text = statement.kind === 'row' ? cellsOf(statement).map(([, cell]) => cell).join('\t') : statement.text;
  return text.replaceAll('`', '');
}
