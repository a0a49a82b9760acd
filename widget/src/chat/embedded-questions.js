/** Questions that are embedded on the reader's machine before they go to the sidecar, with their words or without. */
import { ApiError } from '../core/api.js';
import english from '../strings/en/encoder.js';
import { createEmbeddingView, megabytes } from './embedding-view.js';

/**
 * @typedef {import('../types.js').ChatRequest} ChatRequest
 * @typedef {import('../core/api.js').Api['chat']} Send
 * @typedef {Awaited<ReturnType<import('../encoder/encoder.js').Encoder['embed']>>} Made
 * @typedef {import('../encoder/types.js').Progress} Progress
 * @typedef {import('./own-machine.js').OwnChat} OwnChat
 * @typedef {import('../encoder/encoder.js').Encoder} Encoder
 * @typedef {(onProgress: (progress: Progress) => void, agreed: boolean) => Encoder} MakeEncoder
 */

/** What the attribute `send` says where words are sent, as without it. */
const QUESTION = 'question';

/** Of the numbers that are sent, so many digits: more than the index keeps. */
const DIGITS = 6;
const TOKEN_DIGITS = 4;
const TOKEN_DIMENSION = 64;

/** What the sidecar says of an embedding that does not fit its index. */
const ANOTHER_MODEL = 'invalid_embedding';

/** Why it cannot run, so that trying again is of no use. @type {Record<string, import('../core/i18n.js').StringKey>} */
const FOR_GOOD = { unsupported: 'encoderUnsupported', blocked: 'encoderBlocked', broken: 'encoderBroken' };

/**
 * Have the chat's questions embedded before they are sent.
 * @param {OwnChat} chat
 * @param {MakeEncoder} makeEncoder
 * @returns {(query: string, signal: AbortSignal) => Promise<Made | null>}  Embeds for others; null where they are to do without.
 */
export function embedQuestions(chat, makeEncoder) {
  const { api, host, settings, storage, t } = chat;
  t.learn(english);
  const view = createEmbeddingView(chat);
  const keepsWords = (host.getAttribute('send') ?? QUESTION) !== QUESTION; // A slip of the pen does not send them.
  const agreedKey = `${settings.storagePrefix}:encoder`;
  /** @type {ReturnType<typeof view.loading> | null} */
  let loading = null;
  const encoder = makeEncoder((progress) => loading?.progress(progress), !!storage.get(agreedKey));
  /** Why it is not tried any more, in words; '' while it is. */
  let why = '';
  let wordsAllowed = false;
  let declined = false;
  let told = false;
  const send = api.chat;

  /** @type {Send} */
  api.chat = async (body, options) => {
    const { signal } = options;
    if (wordsAllowed || (body.mode === 'selection' && !keepsWords)) return send(body, options);
    if (body.mode === 'selection') return sendWords(t('encoderPassage'), body, options);
    const made = await embedded(body.query, signal);
    if (signal.aborted) throw new ApiError('stopped');
    if (!made) return keepsWords ? sendWords(`${why} ${t('encoderWords')}`.trim(), body, options) : send(body, options);
    if (keepsWords && !told) view.note(t('encoderPrivate'));
    told = true;
    if (keepsWords) return send(withoutWords(body, made), options);
    return send({ ...body, ...numbersOf(made), embedding_tokens: tokensOf(made) }, options).catch((error) => {
      if (error.code !== ANOTHER_MODEL) throw error;
      return send(body, options); // A page of an earlier build has that build's encoder.
    });
  };

  /**
   * @param {string} query
   * @param {AbortSignal} signal
   * @returns {Promise<Made | null>}  Null: it is to be answered without.
   */
  async function embedded(query, signal) {
    if (why || declined) return null;
    try {
      if (await encoder.mustAsk() && !await agrees(signal)) return declined = true, null;
      return await waitFor(encoder.embed(query), signal);
    } catch (error) {
      const { code, message } = /** @type {import('../encoder/failure.js').EncoderError} */ (error);
      if (!(code in FOR_GOOD)) return await triesAgain(signal) ? embedded(query, signal) : null;
      console.warn(`<pincite-chat embedder>: ${message}`); // For who runs the site.
      why = t(FOR_GOOD[code]);
      if (!keepsWords) view.note(`${why} ${t(host.matches('[answers=only]') ? 'encoderWordsAlone' : 'encoderServer')}`);
      return null;
    }
  }

  /** @param {AbortSignal} signal */
  async function agrees(signal) {
    const total = megabytes(await encoder.cost());
    const yes = await view.choose(t('encoderAsk', { total }), [[t('encoderAgree', { total }), true], [t('encoderWithout'), false]], signal);
    if (!yes) return false;
    storage.set(agreedKey, 'yes');
    encoder.agree();
    return true;
  }

  /** @param {AbortSignal} signal */
  const triesAgain = (signal) => view.choose(t('encoderTimeout'), [[t('retry'), true], [t('encoderWithout'), false]], signal);

  /**
   * Wait, unless the reader stops it or does without; it goes on loading for the next question then.
   * @param {Promise<Made>} making
   * @param {AbortSignal} signal
   * @returns {Promise<Made | null>}
   */
  async function waitFor(making, signal) {
    loading = view.loading();
    const stopped = new Promise((resolve) => { signal.addEventListener('abort', () => resolve(null)); });
    try {
      return await Promise.race([making, loading.skipped.then(() => null), stopped.then(() => null)]);
    } finally {
      loading.end();
      making.catch(() => {}); // Told when it is tried next.
    }
  }

  /**
   * Send the words after all, if the reader wants to.
   * @param {string} text
   * @param {ChatRequest} body
   * @param {Parameters<Send>[1]} options
   */
  async function sendWords(text, body, options) {
    const yes = await view.choose(text, [[t('encoderSendWords'), true], [t('encoderDecline'), false]], options.signal);
    if (!yes) throw new ApiError('stopped');
    wordsAllowed ||= body.mode === 'corpus';
    return send(body, options);
  }

  return embedded;
}

/**
 * @param {ChatRequest} body
 * @param {Made} made
 * @returns {ChatRequest}
 */
function withoutWords({ message_id, session_id, scope, page_url, build_id }, made) {
  return { message_id, session_id, scope, page_url, build_id, mode: 'corpus', query: '', ...numbersOf(made) };
}

/** @param {Made} made */
function numbersOf({ vector, model }) {
  return { embedding: Array.from(vector, (number) => Number(number.toPrecision(DIGITS))), embedding_model: model };
}

/**
 * The vectors of the question's tokens, by which sections are ranked. They tell its words, so they go where these go.
 * @param {Made} made
 */
function tokensOf({ tokens }) {
  const rows = [];
  for (let at = 0; at < tokens.length; at += TOKEN_DIMENSION) {
    rows.push(Array.from(tokens.subarray(at, at + TOKEN_DIMENSION), (number) => Number(number.toFixed(TOKEN_DIGITS))));
  }
  return rows;
}
