import { regexp } from './phrases.js';

/**
 * What a docs assistant must not pretend to: write or do things for the reader, or know what is happening right now
 * (`guards/boundaries.py`).
 *
 * @typedef {import('./types.js').Requests} Requests
 */

const SENTENCE_END = /(?<=[.!?。！？])\s+|\n+/u;

/**
 * @param {string} query
 * @param {Requests} requests
 * @returns {'code' | 'act' | 'realtime' | null}
 */
export function crossedBoundary(query, requests) {
  const said = query.trim();
  if (regexp(requests.code).test(said)) return 'code';
  if (dismisses(query, requests) || regexp(requests.act).test(said)) return 'act';
  return regexp(requests.realtime).test(said) ? 'realtime' : null;
}

/**
 * Whether a question is about assistants, so that text that addresses them may answer it.
 * @param {string} query
 * @param {Requests} requests
 */
export function asksAboutAssistants(query, requests) {
  const text = query.normalize('NFKC');
  return regexp(requests.asks_about_assistants).test(text) || regexp(requests.names_of_assistants, 'u').test(text);
}

/** Whether a question is nothing but an order to dismiss instructions. @param {string} query @param {Requests} requests */
function dismisses(query, requests) {
  const parts = query.split(SENTENCE_END).map((part) => part.trim()).filter(Boolean);
  const plain = (/** @type {string} */ text) => text.normalize('NFKC').replace(/\p{Cf}/gu, '').toLowerCase().replace(/[ \t]+/gu, ' ');
  return parts.length > 0 && parts.every((part) => regexp(requests.dismisses, 'u').test(plain(part)));
}
