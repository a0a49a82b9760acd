import { rules } from './rules.js';
import { stripped, termsOf } from './terms.js';
/** @import {ChatRequest, Notice} from '../types.js' */
/** @import {Citation, Claim, Library, QuestionContext, SearchResult} from './types.js' */

/** Replies from their parts: answers, and refusals with suggestions and the nearest sections (`answering/replies.py`). */

/** @typedef {'corpus' | 'selection'} Mode */

/** The fields that every reply begins with. @param {Library} library @param {ChatRequest} request @param {Notice[]} notices */
export function headOf({ manifest, locale, shards }, request, notices) {
  const versioned = shards.map(({ entry }) => entry).filter(({ version }) => version !== null);
  const asked = request.scope?.version;
  const bound = asked ? versioned.filter((entry) => [entry.version, entry.version_label].includes(asked)) : [];
  const named = bound.length > 0 ? bound : versioned;
  const only = named.length === 1 || bound.length > 0 ? named[0] : null;
  const pluginId = named.length === 1 ? named[0].plugin : null;
  return {
    message_id: request.message_id ?? '', session_id: request.session_id ?? '', index_id: manifest.index_id, built_at: manifest.built_at ?? null,
    mode: /** @type {Mode} */ ('corpus'), notices,
    scope: { locale, version: only?.version ?? null, version_label: only?.version_label ?? null, plugin_id: pluginId },
  };
}

/**
 * @param {QuestionContext} context
 * @param {object} answer
 * @param {string} answer.text
 * @param {Citation[]} answer.citations
 * @param {Claim[]} answer.claims
 * @param {number} answer.evidence
 * @param {number} answer.documents  Sections that it was made from.
 * @param {number} answer.likelihood  The probability that it is useful, for answers from several documents.
 */
export function answerReply({ head }, { text, citations, claims, evidence, documents, likelihood }) {
  const confidence = rounded(documents === 1 ? rules.guards.one_document + rules.guards.passed : likelihood, 2);
  return {
    type: /** @type {const} */ ('answer'), ...head, composer: 'extractive', answer: text, citations, claims, confidence_score: confidence,
    evidence: rounded(evidence, 4),
    validation_info: { passed: true, reasons: [], used_fallback: false, confidence_score: confidence, context_docs_count: documents },
    learning_suggestions: [], timings_ms: {},
  };
}

/**
 * @param {QuestionContext} context
 * @param {string} code
 * @param {string} message
 * @param {{nearest?: Citation[], evidence?: number, suggestions?: string[], learning?: string[], reasons?: string[]}} told
 */
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
