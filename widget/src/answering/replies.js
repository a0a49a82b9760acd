import { termsOf } from './terms.js';

/**
 * Replies put together: an answer out of its parts, and refusals with what to try and the nearest sections (`answering/replies.py`).
 *
 * @typedef {import('./types.js').Situation} Situation
 * @typedef {import('../types.js').Citation} Citation
 * @typedef {import('./types.js').SentClaim} SentClaim
 * @typedef {import('./types.js').Reply} Reply
 * @typedef {'corpus' | 'selection'} Mode
 *
 * @typedef {object} Answered
 * @property {Mode} mode
 * @property {string} text
 * @property {Citation[]} citations
 * @property {SentClaim[]} claims
 * @property {number} evidence
 * @property {number} documents  That it was made from.
 * @property {number | null} likelihood  That it is of use; null where that is not measured.
 *
 * @typedef {object} Refused
 * @property {Mode} [mode]
 * @property {Citation[]} [nearest]
 * @property {number} [evidence]
 * @property {(keyof typeof SUGGESTED)[]} [suggestions]
 * @property {string[]} [learning]
 * @property {string[]} [reasons]
 */

const MOST_TOPICS = 3;
const SUGGESTED = { contact: 'suggest_contact', rephrase: 'suggest_rephrase', other_topic: 'suggest_scope', whole_site: 'suggest_whole_site' };
const AROUND_WORDS = /^[.,;:!?()[\]{}"'`]+|[.,;:!?()[\]{}"'`]+$/gu;

/**
 * The fields that every reply begins with.
 * @param {import('./types.js').Library} library
 * @param {import('../types.js').ChatRequest} request
 */
export function headOf({ manifest, locale, shards }, request) {
  const versioned = shards.map(({ entry }) => entry).filter(({ version }) => version !== null);
  const asked = request.scope?.version;
  const bound = asked ? versioned.filter((entry) => [entry.version, entry.version_label].includes(asked)) : [];
  const named = bound.length > 0 ? bound : versioned;
  const only = named.length === 1 || bound.length > 0 ? named[0] : null;
  return {
    message_id: request.message_id ?? '', session_id: request.session_id ?? '', index_id: manifest.index_id, built_at: manifest.built_at ?? null,
    mode: /** @type {Mode} */ ('corpus'),
    scope: {
      locale, version: only?.version ?? null, version_label: only?.version_label ?? null,
      plugin_id: named.length === 1 ? named[0].plugin : null,
    },
    notices: /** @type {import('../types.js').Notice[]} */ ([]),
  };
}

/**
 * @param {Situation} situation
 * @param {Answered} answer
 * @returns {Reply}
 */
export function answerReply({ head }, { mode, text, citations, claims, evidence, documents, likelihood }) {
  const confidence = rounded(documents === 1 ? 0.6 : likelihood ?? 0.9, 2);
  return {
    type: 'answer', ...head, mode, composer: 'extractive', answer: text, citations, claims, confidence_score: confidence, evidence: rounded(evidence, 4),
    validation_info: { passed: true, reasons: [], used_fallback: false, confidence_score: confidence, context_docs_count: documents },
    learning_suggestions: [], timings_ms: {},
  };
}

/**
 * @param {Situation} situation
 * @param {string} code
 * @param {string} message
 * @param {Refused} told
 * @returns {Reply}
 */
export function refusalReply({ head, say, docs }, code, message, told) {
  const { mode = 'corpus', nearest = [], evidence = 0, suggestions = ['contact', 'rephrase'], learning = [], reasons = [] } = told;
  return {
    type: 'refusal', ...head, mode, code, message, reasons,
    suggestions: [
      ...docs ? [{ code: 'docs_language', text: say('suggest_language', { name: docs }) }] : [],
      ...suggestions.map((name) => ({ code: name, text: say(SUGGESTED[name]) })),
    ],
    nearest, evidence: rounded(evidence, 4),
    validation_info: { passed: false, reasons: [code], used_fallback: false, confidence_score: 0, context_docs_count: 0 },
    learning_suggestions: learning, timings_ms: {},
  };
}

/**
 * Up to three of the question's own words, rarest first, that are not among the terms held.
 * @param {import('./types.js').Library} library
 * @param {import('./types.js').SearchResult} result
 * @param {Set<string>} [held]
 */
export function missingTopics(library, { query, rarity }, held = new Set()) {
  const words = new Set(query.text.split(/\s+/u).map((word) => word.replace(AROUND_WORDS, '')).filter(Boolean));
  return [...words].map((word) => {
    const terms = termsOf(library, word);
    const isTold = terms.every((term) => held.has(term)) || terms.every((term) => library.lexicon.isSmall(term));
    return { word, score: isTold ? 0 : Math.max(0, ...terms.map((term) => rarity.get(term) ?? 0)) };
  }).filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).slice(0, MOST_TOPICS).map(({ word }) => word);
}

/** @param {number} value @param {number} digits */
const rounded = (value, digits) => Number(value.toFixed(digits));
