import { primary } from '../search/files.js';
import { sum } from '../search/numbers.js';
import { composePassages } from './compose.js';
import { expandFollowUp } from './follow-ups.js';
import { asksAboutAssistants, askedIn, crossedBoundary, foreignLanguage, languagesToAskIn, messageLanguage, nameOf } from './phrases.js';
import { phrasesOf, requestsOf, wordingIn } from './phrases.js';
import { search } from './ranking.js';
import { plainText, renderPassages } from './render.js';
import { answerReply, citeAll, headOf, missingTopics, nearestCitations, readableSections, refusalReply } from './replies.js';
import { probability, rules } from './rules.js';
import { selectionAnswer, selectionProblem } from './selection.js';
import { linkedSections, nearestOfBoth } from './units.js';
/** @import {ChatRequest} from '../types.js' */
/** @import {Calibration, Embedded, Encode, Library, Passage, QuestionContext, RankedSection, Reply, SearchResult} from './types.js' */

/** The reply to a question, as the sidecar gives it for `POST /api/chat` without streaming (`answering/pipeline.py`, `corpus_mode.py`). */

/** @param {ChatRequest} request */
const wordsOf = ({ query }) => query.slice(0, rules.question.max_query);

/** The question, expanded if it is a follow-up; `parseQuery` of it is embedded. @param {Library} library @param {ChatRequest} request */
export async function questionOf(library, request) {
  const query = wordsOf(request).trim();
  const requests = await requestsOf(library);
  if (request.mode === 'selection' || !request.turns?.length || crossedBoundary(query, requests)) return query;
  return await expandFollowUp(library, requests, query, request.turns.map((turn) => turn.query)) ?? query;
}

/**
 * The locale of a question that is surely in another language of the site than the reader's page; else null.
 * @param {Library} library @param {ChatRequest} request
 */
export async function localeOf(library, request) {
  if (request.mode === 'selection') return null;
  const foreign = foreignLanguage(wordsOf(request), library.table, await requestsOf(library));
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
  if (library.shards.length === 0) return refusalReply(context, 'empty_index', context.say('empty_index'), { suggestions: ['contact'] });
  const boundary = crossedBoundary(context.query, context.requests);
  if (!boundary) return answerFromCorpus(context, embedded);
  const message = aboutDocs(context, `capability_${boundary}`, boundary === 'realtime');
  return refusalReply(context, 'capability', message, { suggestions: ['rephrase', 'other_topic'] });
}

/** @param {Library} library @param {ChatRequest} request */
export async function contextOf(library, request) {
  const requests = await requestsOf(library);
  const query = await questionOf(library, request);
  const asked = wordsOf(request).trim();
  const foreign = foreignLanguage(query, library.table, requests);
  const language = messageLanguage(asked, foreign ?? library.table, requests);
  const say = await wordingIn(library, language);
  const docs = foreign ? languagesToAskIn(library, language) : '';
  const page = library.manifest.scopes.find(({ locale }) => locale === request.scope?.locale);
  const isOther = !!page && primary(page.locale) !== library.language;
  const notices = [
    ...isOther ? [{ code: 'own_language_searched', message: say('own_language_searched', { name: nameOf(library.locale, language) }) }] : [],
    ...query === asked ? [] : [{ code: 'question_rewritten', message: say('question_rewritten', { query }) }],
    ...docs ? [{ code: 'docs_language', message: say('docs_language', { name: docs }) }] : [],
    ...request.query.length > rules.question.max_query ? [{ code: 'query_truncated', message: say('query_truncated') }] : [],
  ];
  return {
    library, request, requests, query, say, docs, phrases: await phrasesOf(library, askedIn(query, library.table, requests)),
    head: headOf(library, request, notices), aboutAssistants: asksAboutAssistants(query, requests),
  };
}

/** @param {QuestionContext} context @param {string} code @returns {QuestionContext} */
export function withNotice({ head, ...context }, code) {
  return { ...context, head: { ...head, notices: [...head.notices, { code, message: context.say(code) }] } };
}

/**
 * A message about the docs, by their title; a dated one is another if the date of the build is not known.
 * @param {QuestionContext} context @param {string} key @param {boolean} isDated
 */
function aboutDocs({ say, library: { facts: { title } }, head }, key, isDated) {
  const date = (head.built_at ?? '').slice(0, 10);
  const name = title && !rules.question.already_a_name.test(title) ? say('corpus', { title }) : title || say('corpus_untitled');
  return say(isDated && !date ? `${key}_undated` : key, { corpus: name, date, reason: say('because_unsupported_number') });
}

/** @param {QuestionContext} context @param {Embedded | null} embedded */
async function answerFromCorpus(context, embedded) {
  const { library, say, library: { facts: { threshold, likelihood } } } = context;
  const found = await search(library, context.query, embedded, rules.question.candidates);
  const result = { ...found, sections: await readableSections(context, await distinct(found.sections)) };
  const { evidence, sections } = result;
  const learning = missingTopics(library, result);
  const refuse = async (/** @type {string} */ message, nearest = sections, missing = learning) => refusalReply(context, 'no_evidence', message, {
    nearest: await nearestCitations(context, nearest.slice(0, rules.question.nearest)), evidence, learning: missing });
  if (evidence < threshold) {
    const nearest = sections.slice(0, rules.question.nearest);
    const linked = evidence >= rules.question.weak * threshold ? await linkedSections(embedded, nearest) : [];
    return refuse(say('no_evidence'), nearestOfBoth(nearest, await readableSections(context, linked)));
  }
  const passages = await composePassages({ ...context, embedded, result });
  const statements = passages.flatMap((passage) => passage.statements);
  if (statements.some((statement) => statement.unproved)) return refuse(aboutDocs(context, 'fallback', true), sections, []);
  if (passages.length === 0) return refuse(say('no_evidence'));
  const { numbers, citations } = await citeAll({ ...context, embedded, result }, statements);
  const { text, markers } = renderPassages(passages, numbers);
  const claims = statements.map((statement, at) => ({
    text: statement.text, support: 'quoted', quote: plainText(statement),
    citations: [numbers.get(statement.place.id) ?? 0], markers: [markers[at]],
  }));
  const noted = passages.some(({ facts }) => facts.untranslated) ? withNotice(context, 'untranslated') : context;
  return answerReply(noted, {
    text, citations, claims, evidence, documents: Math.min(sections.length, rules.citations.most),
    likelihood: likelihoodOf(result, passages, likelihood),
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
 * The probability that readers find an answer useful (`answering/corpus/likelihood.py`).
 * @param {SearchResult} result @param {Passage[]} passages @param {Calibration} weights
 */
function likelihoodOf({ sections, zScore, hasVectors }, passages, weights) {
  const shown = passages.flatMap(({ statements }) => statements);
  return probability({
    margin: sections[0].score - sections[sections.length - 1].score,
    nearest: hasVectors ? Math.max(...shown.map(({ score }) => score)) : rules.scoring.usual_nearest,
    z_score: zScore,
    code: Number(passages[0].statements.some(({ kind }) => kind === 'code')),
    shown: sum(shown.map(({ text }) => text.split(/\s+/u).filter(Boolean).length)) / rules.scoring.hundred,
  }, weights);
}
