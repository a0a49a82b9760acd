import { primary } from '../search/files.js';
import { asksAboutAssistants, crossedBoundary } from './boundaries.js';
import { citeAll, MAX_CITATIONS, nearestCitations, readableSections } from './citations.js';
import { composePassages } from './compose.js';
import { readTogether } from './follow-ups.js';
import { answerLikelihood } from './likelihood.js';
import { linkedSections, nearestOfBoth } from './linked-sections.js';
import { phrasesOf, requestsOf } from './phrases.js';
import { search } from './ranking.js';
import { cellsOf, markersOf, renderPassages } from './render.js';
import { answerReply, headOf, missingTopics, refusalReply } from './replies.js';
import { selectionAnswer, selectionProblem } from './selection.js';
import { askedIn, foreignLanguage, spokenIn } from './language-detection.js';
import { corpusName, languagesToAskIn, nameOf, wordingIn } from './wording.js';

/**
 * A question's way to its reply, as the sidecar gives it for `POST /api/chat` without streaming (`answering/pipeline.py`,
 * `corpus_mode.py`).
 *
 * @typedef {import('./types.js').Asking} Asking
 * @typedef {import('./types.js').Embedded} Embedded
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').RankedSection} RankedSection
 * @typedef {import('./types.js').Situation} Situation
 * @typedef {import('../types.js').ChatRequest} ChatRequest
 */

const MAX_QUERY = 2000; // Characters.
const SECTIONS = 8;
const FOUND = 24; // Three times as many: what each command's page says of an option in the same words is one of them.
const WEAK = 0.5; // Share of the threshold; what is refused below it is about something else.
const NEAREST = 3;

/**
 * What is asked when a question is read together with the ones before it: what is to be embedded for `answer`.
 * @param {Library} library
 * @param {ChatRequest} request
 */
export async function questionOf(library, request) {
  const query = request.query.slice(0, MAX_QUERY).trim();
  const requests = await requestsOf(library);
  if (request.mode === 'selection' || !request.turns?.length || crossedBoundary(query, requests)) return query;
  return await readTogether(library, requests, query, request.turns.map((turn) => turn.query)) ?? query;
}

/**
 * The locale whose pages answer a question that is surely in another language than the reader's page; null where the page's own do.
 * @param {Library} library  Of the page.
 * @param {ChatRequest} request
 */
export async function localeOf(library, request) {
  if (request.mode === 'selection') return null;
  const spoken = foreignLanguage(request.query.slice(0, MAX_QUERY), library.locale, await requestsOf(library));
  return library.manifest.scopes.find(({ locale }) => spoken !== null && primary(locale) === spoken)?.locale ?? null;
}

/**
 * @param {Library} library
 * @param {ChatRequest} request
 * @param {Embedded | null} embedded  Of `parseQuery(library, await questionOf(library, request)).text`.
 * @param {import('./types.js').Encode} [encode]  For passages that a reader selected.
 * @returns {Promise<import('./types.js').Reply>}
 */
export async function answer(library, request, embedded, encode) {
  let situation = await situate(library, request);
  if (request.mode === 'selection') {
    const problem = selectionProblem(request.selection);
    if (!problem) return selectionAnswer(situation, embedded, encode);
    situation = withNotice(situation, problem);
  }
  const { say, requests, query } = situation;
  if (library.shards.length === 0) return refusalReply(situation, 'empty_index', say('empty_index'), { suggestions: ['contact'] });
  const boundary = crossedBoundary(query, requests);
  return boundary ? refuseBoundary(situation, boundary) : answerFromCorpus(situation, embedded);
}

/**
 * @param {Library} library
 * @param {ChatRequest} request
 * @returns {Promise<Situation>}
 */
async function situate(library, request) {
  const requests = await requestsOf(library);
  const query = await questionOf(library, request);
  const asked = request.query.slice(0, MAX_QUERY).trim();
  const foreign = foreignLanguage(query, library.locale, requests);
  const language = spokenIn(asked, foreign ?? library.locale, requests);
  const say = await wordingIn(library, language);
  const docs = foreign ? languagesToAskIn(library, language) : '';
  const page = library.manifest.scopes.find(({ locale }) => locale === request.scope?.locale);
  const phrases = await phrasesOf(library, askedIn(query, library.locale, requests));
  const hears = asksAboutAssistants(query, requests);
  /** @type {Situation} */
  const situation = { library, request, requests, phrases, query, language, say, docs, hears, head: headOf(library, request) };
  const notices = [
    page && primary(page.locale) !== library.language && { code: 'own_language_searched', message: say('own_language_searched', { name: nameOf(library.locale, language) }) },
    query !== asked && { code: 'question_rewritten', message: say('question_rewritten', { query }) },
    docs && { code: 'docs_language', message: say('docs_language', { name: docs }) },
    request.query.length > MAX_QUERY && { code: 'query_truncated', message: say('query_truncated') },
  ];
  return notices.reduce((one, notice) => (notice ? withNotice(one, notice) : one), situation);
}

/**
 * @param {Situation} situation
 * @param {import('../types.js').Notice | string} notice  Itself, or its code.
 * @returns {Situation}
 */
function withNotice(situation, notice) {
  const told = typeof notice === 'string' ? { code: notice, message: situation.say(notice) } : notice;
  return { ...situation, head: { ...situation.head, notices: [...situation.head.notices, told] } };
}

/** @param {Situation} situation @param {'code' | 'act' | 'realtime'} boundary */
function refuseBoundary(situation, boundary) {
  const { say, library: { facts } } = situation;
  const corpus = corpusName(facts.title, say);
  const date = (situation.head.built_at ?? '').slice(0, 10);
  const key = boundary === 'realtime' && !date ? 'capability_realtime_undated' : `capability_${boundary}`;
  return refusalReply(situation, 'capability', say(key, { corpus, date }), { suggestions: ['rephrase', 'other_topic'] });
}

/** @param {Situation} situation @param {Embedded | null} embedded */
async function answerFromCorpus(situation, embedded) {
  const { library, say } = situation;
  const found = await search(library, situation.query, embedded, FOUND);
  const result = { ...found, sections: await readableSections(situation, await distinct(found.sections)) };
  const { evidence } = result;
  const { threshold } = library.facts;
  const learning = () => missingTopics(library, result);
  if (evidence < threshold) {
    const nearest = evidence >= WEAK * threshold ? await secondStep(situation, embedded, result.sections) : result.sections;
    return refusalReply(situation, 'no_evidence', say('no_evidence'), { nearest: await nearestOf(situation, nearest), evidence, learning: learning() });
  }
  /** @type {Asking} */
  const asking = { ...situation, embedded, result };
  const passages = await composePassages(asking);
  const statements = passages.flatMap((passage) => passage.statements);
  const unproved = statements.some((statement) => statement.unproved);
  if (passages.length === 0 || unproved) {
    const message = unproved ? fallback(situation) : say('no_evidence');
    return refusalReply(situation, 'no_evidence', message, { nearest: await nearestOf(situation, result.sections), evidence, learning: unproved ? [] : learning() });
  }
  const { numbers, citations } = await citeAll(asking, statements);
  const documents = Math.min(result.sections.length, MAX_CITATIONS);
  const noted = passages.some(({ facts }) => facts.untranslated) ? withNotice(situation, 'untranslated') : situation;
  return answerReply(noted, {
    mode: 'corpus', text: renderPassages(passages, numbers), citations, evidence, documents,
    claims: claimsOf(passages, numbers), likelihood: answerLikelihood(result, passages, library.facts.likelihood),
  });
}

/** Of sections whose best parts are the same words, the best one alone. @param {RankedSection[]} sections */
async function distinct(sections) {
  /** @type {Map<string, RankedSection>} */
  const said = new Map();
  for (const section of sections) {
    const text = await section.shard.text(section.part);
    if (!said.has(text)) said.set(text, section);
    if (said.size === SECTIONS) break;
  }
  return [...said.values()];
}

/**
 * The nearest sections, those around them looked through as well.
 * @param {Situation} situation
 * @param {Embedded | null} embedded
 * @param {RankedSection[]} sections
 */
async function secondStep(situation, embedded, sections) {
  const nearest = sections.slice(0, NEAREST);
  const around = await linkedSections(situation.library, embedded, nearest);
  return nearestOfBoth(nearest, await readableSections(situation, around));
}

/** @param {Situation} situation @param {RankedSection[]} sections */
const nearestOf = (situation, sections) => nearestCitations(situation, sections.slice(0, NEAREST));

/** @param {Situation} situation */
function fallback({ say, library: { facts }, head }) {
  const date = (head.built_at ?? '').slice(0, 10);
  const reason = say('because_unsupported_number');
  return say(date ? 'fallback' : 'fallback_undated', { corpus: corpusName(facts.title, say), date, reason });
}

/**
 * What is said, word for word as the docs say it, and where.
 * @param {import('./types.js').Passage[]} passages
 * @param {Map<string, number>} numbers
 * @returns {import('./types.js').SentClaim[]}
 */
function claimsOf(passages, numbers) {
  const markers = markersOf(passages, numbers);
  return passages.flatMap(({ statements }) => statements).map((statement, at) => {
    const { text, place, layout: { tab } } = statement;
    const isHidden = tab && !place.landing.some(({ kind, label }) => kind === 'tab' && label === tab);
    const marker = markers[at];
    return {
      text, support: 'quoted', citations: [numbers.get(place.id) ?? 0], quote: shownWords(statement),
      landing: isHidden ? [...place.landing, { kind: 'tab', label: tab }] : place.landing, markers: marker === null ? [] : [marker],
    };
  });
}

/**
 * A unit without fences and backticks; of a row the cells, a tab between them, without their columns.
 * @param {import('./types.js').Statement} statement
 */
function shownWords(statement) {
  if (statement.kind === 'code') return statement.text.split('\n').slice(1, -1).join('\n');
  const text = statement.kind === 'row' ? cellsOf(statement).map(([, cell]) => cell).join('\t') : statement.text;
  return text.replaceAll('`', '');
}
