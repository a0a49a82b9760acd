/** Replies of the sidecar, for scripts. */

const HEAD = { session_id: 's', index_id: 'ix1', built_at: '2026-11-12T08:00:00Z', mode: 'corpus', composer: 'extractive', scope: { locale: 'en', version: '2.4', version_label: '2.4', plugin_id: 'default' }, notices: [] };

export const CITATIONS = [
  { n: 1, used: true, stable_id: 'docs/retries#backoff', title: 'Guides: Retries', heading_path: ['Retries', 'Exponential backoff'],
    section: 'Exponential backoff', page: 'Retries', url: '/guide/retries.html#backoff', anchor: 'backoff', chunk_id: 'c1', source_type: 'guide',
    excerpt: 'A failed job is retried with exponential backoff, starting at two seconds.', verified: true },
  { n: 2, used: true, stable_id: 'docs/retries#max-attempts', title: 'Guides: Retries', heading_path: ['Retries', 'Options', 'max_attempts'],
    section: 'max_attempts', page: 'Retries', url: '/guide/retries.html#max-attempts', anchor: 'max-attempts', chunk_id: 'c2', source_type: 'api',
    excerpt: 'max_attempts 5 How often a job is tried before it goes to the dead-letter queue.', verified: true },
  { n: null, used: false, stable_id: 'docs/install#linux', title: 'Guides: Install', heading_path: ['Install', 'Installing on Linux'],
    section: 'Installing on Linux', page: 'Install', url: '/guide/install.html#linux', anchor: 'linux', chunk_id: 'c3', source_type: 'guide',
    excerpt: 'On Linux the service is started with systemd.', verified: false },
  { n: null, used: false, stable_id: 'docs/retries#why', title: 'Guides: Retries', heading_path: ['Retries', 'Why jobs are retried'],
    section: 'Why jobs are retried', page: 'Retries', url: '/guide/retries.html#why', anchor: 'why', chunk_id: 'c4', source_type: 'guide',
    excerpt: 'Networks fail. A queue that gives up at the first error loses work.', verified: true },
];

export const ANSWER = [
  'A failed job is retried with exponential backoff, starting at two seconds. [1]',
  ' Set `max_attempts` to decide how often it is tried before it goes to the dead-letter queue. [2]\n\n',
  '```yaml\nqueues:\n  mail:\n    max_attempts: 5\n    backoff: exponential\n```\n',
];

export const END = {
  confidence_score: 0.86,
  evidence: 0.91,
  validation_info: { passed: true, reasons: [], used_fallback: false, confidence_score: 0.86, context_docs_count: 4 },
  learning_suggestions: [],
  timings_ms: { retrieve: 12, compose: 3, total: 17 },
};

/** Status events of a sidecar with a language model. */
export const STATUS = {
  asked: { phase: 'searching', queries: ['How are failed jobs retried?'] },
  searching: { phase: 'searching', queries: ['retry failed jobs', 'exponential backoff', 'max_attempts'] },
  reading: { phase: 'reading', titles: ['Retries › Exponential backoff', 'Retries › Options › max_attempts', 'Install › Installing on Linux',
    ...Array.from({ length: 9 }, (_, n) => `Retries › Section ${n + 4}`)] },
  checking: { phase: 'checking' },
};

/** The search queries of a refusal. */
export const SEARCHED = ['world cup winner', 'جام جهانی', 'football results'];

export const REFUSAL = {
  ...HEAD,
  type: 'refusal',
  code: 'no_evidence',
  message: "I don't have enough information to answer that question. You might try contacting support or rephrasing your question.",
  reasons: ['The docs say nothing about the world cup.'],
  suggestions: [{ code: 'contact', text: 'Contact support' }, { code: 'rephrase', text: 'Rephrase your question' }],
  nearest: CITATIONS.slice(0, 3).map((citation) => ({ ...citation, n: null, used: false })),
  evidence: 0.08,
  learning_suggestions: [],
};

/**
 * A script that streams an answer.
 * @param {object} [options]
 * @param {string[]} [options.text]
 * @param {object[]} [options.citations]
 * @param {object} [options.end]
 * @param {object} [options.head]
 * @param {number} [options.pause]  Milliseconds between deltas.
 * @param {Promise<unknown>} [options.until]  Everything after the first delta waits for it.
 * @returns {import('./sidecar.js').Script}
 */
export function answers({ text = ANSWER, citations = CITATIONS, end = {}, head = {}, pause = 0, until } = {}) {
  return async (reply, { body }) => {
    reply.startStream({ 'Pincite-Reader': 'reader-1' });
    reply.event('answer_start', { ...HEAD, message_id: body.message_id, mode: body.mode, ...head });
    for (const part of text) {
      reply.event('answer_delta', { text: part });
      await until;
      if (pause) await reply.wait(pause);
    }
    reply.event('sources', { citations });
    reply.event('answer_end', { ...END, message_id: body.message_id, ...end });
    reply.end();
  };
}

/** @returns {import('./sidecar.js').Script} */
export function refuses(refusal = {}) {
  return (reply, { body }) => reply.json({ ...REFUSAL, message_id: body.message_id, ...refusal });
}

/**
 * A script whose stream the test drives by hand.
 * @returns {{script: import('./sidecar.js').Script, stream: Promise<import('./sidecar.js').Reply>}}
 */
export function driven() {
  /** @type {(reply: import('./sidecar.js').Reply) => void} */
  let give = () => {};
  const stream = new Promise((resolve) => { give = resolve; });
  return { stream, script: (reply) => {
    reply.startStream();
    give(reply);
  } };
}

/**
 * A script that streams the given events and then leaves the stream open.
 * @param {...[name: string, data: object]} events
 * @returns {(reply: import('./sidecar.js').Reply) => void}
 */
export function streams(...events) {
  return (reply) => {
    reply.startStream();
    for (const [name, data] of events) reply.event(name, data);
  };
}
