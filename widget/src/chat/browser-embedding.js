/**
 * Embeds questions in the reader's browser before they go to the sidecar, with or without their words. Loaded with the chat
 * if the site uses it or has answers in the browser (`browser-answers.js`). Both replace `chat.api.chat` before anything is
 * asked.
 */
import { ApiError } from '../core/api.js';
import { createEncoder } from '../encoder/encoder.js';
import english from '../strings/en/encoder.js';
import { answerInBrowser } from './browser-answers.js';
import { createEmbeddingView, megabytes } from './embedding-view.js';

/**
 * @import {ChatEnvironment, ChatHost, ChatRequest} from '../types.js'
 * @import {Api} from '../core/api.js'
 * @import {StringKey, Translate} from '../core/i18n.js'
 * @import {SafeStorage} from '../core/storage.js'
 * @import {Encoder} from '../encoder/encoder.js'
 * @import {EncoderError} from '../encoder/encoder-error.js'
 * @import {Panel} from './panel.js'
 *
 * @typedef {{api: Api, host: ChatHost, t: Translate, panel: Panel, settings: {api: string, storagePrefix: string},
 *   environment: ChatEnvironment, storage: SafeStorage}} ChatParts  The parts of the chat that are used here.
 * @typedef {Awaited<ReturnType<Encoder['embed']>>} Embedding
 * @typedef {(query: string, signal: AbortSignal) => Promise<Embedding | null>} Embed  Null: answer without an embedding.
 */

/** The default value of the attribute `send`: the words are sent. */
const QUESTION = 'question';

/** Significant digits of an embedding and decimals of token vectors in a request; the index keeps fewer. */
const DIGITS = 6;
const TOKEN_DECIMALS = 4;
const TOKEN_DIMENSION = 64;

/** The sidecar's code for an embedding that does not fit its index. */
const OTHER_MODEL = 'invalid_embedding';

/** Permanent failures, for which there is no retry. @type {Record<string, StringKey>} */
const PERMANENT = { unsupported: 'encoderUnsupported', blocked: 'encoderBlocked', broken: 'encoderBroken' };

/**
 * Set up the chat to embed or answer questions in the browser, according to the attributes `embedder`, `send` and `answers`.
 * @param {ChatParts} chat
 */
export function setUpBrowserMode(chat) {
  const { host } = chat;
  const embed = host.hasAttribute('embedder') || host.hasAttribute('send') ? embedQuestions(chat) : async () => null;
  if (host.hasAttribute('answers')) {
    const files = host.getAttribute('search') || new URL('search/', import.meta.url).href;
    answerInBrowser(chat, new URL(files, document.baseURI), embed);
  }
}

/** Embed questions before `chat.api.chat` sends them. @param {ChatParts} chat @returns {Embed}  For answers in the browser. */
function embedQuestions({ api, host, settings, storage, panel, t }) {
  t.learn(english);
  const view = createEmbeddingView(panel, t);
  const keepsWords = (host.getAttribute('send') ?? QUESTION) !== QUESTION; // A misspelt value must not send them.
  const agreedKey = `${settings.storagePrefix}:encoder`;
  // A worker must be of the page's origin, so the default is the widget's folder.
  const attribute = host.getAttribute('embedder') || 'browser';
  const folder = new URL(attribute === 'browser' ? new URL('./', import.meta.url).href : attribute, document.baseURI).href;
  /** @type {ReturnType<typeof view.loading> | null} */
  let loading = null;
  const encoder = createEncoder({ folder, onProgress: (progress) => loading?.progress(progress), agreed: !!storage.get(agreedKey) });
  /** Why the encoder cannot be used any more, as text; '' while it can. */
  let unusable = '';
  let wordsAllowed = false;
  let declined = false;
  let explained = false;
  const send = api.chat;

  /** @type {Api['chat']} */
  api.chat = async (body, options) => {
    const { signal } = options;
    if (wordsAllowed || (body.mode === 'selection' && !keepsWords)) return send(body, options);
    if (body.mode === 'selection') return sendWordsIfAllowed(t('encoderPassage'), body, options);
    const made = await embed(body.query, signal);
    if (signal.aborted) throw new ApiError('stopped');
    if (!made) return keepsWords ? sendWordsIfAllowed(`${unusable} ${t('encoderWords')}`.trim(), body, options) : send(body, options);
    if (keepsWords && !explained) view.note(t('encoderPrivate'));
    explained = true;
    const { vector, tokens, model } = made;
    const embedding = { embedding: Array.from(vector, (number) => Number(number.toPrecision(DIGITS))), embedding_model: model };
    if (keepsWords) {
      const { message_id, session_id, scope, page_url, build_id } = body;
      return send({ message_id, session_id, scope, page_url, build_id, mode: 'corpus', query: '', ...embedding }, options);
    }
    // Token vectors reveal the words, so they are sent only with these.
    const rows = Array.from({ length: tokens.length / TOKEN_DIMENSION }, (_, row) => {
      const vector = tokens.subarray(row * TOKEN_DIMENSION, (row + 1) * TOKEN_DIMENSION);
      return Array.from(vector, (number) => Number(number.toFixed(TOKEN_DECIMALS)));
    });
    return send({ ...body, ...embedding, embedding_tokens: rows }, options).catch((error) => {
      if (error.code !== OTHER_MODEL) throw error;
      return send(body, options); // A page of an earlier build has that build's encoder.
    });
  };

  /** @type {Embed} */
  async function embed(query, signal) {
    if (unusable || declined) return null;
    try {
      if (await encoder.mustAsk()) {
        const total = megabytes(await encoder.cost());
        const choices = /** @type {[string, boolean][]} */ ([[t('encoderAgree', { total }), true], [t('encoderWithout'), false]]);
        declined = !await view.choose(t('encoderAsk', { total }), choices, signal);
        if (declined) return null;
        storage.set(agreedKey, 'yes');
        encoder.agree();
      }
      return await waitFor(encoder.embed(query), signal);
    } catch (error) {
      const { code, message } = /** @type {EncoderError} */ (error);
      if (!(code in PERMANENT)) {
        const retry = await view.choose(t('encoderTimeout'), [[t('retry'), true], [t('encoderWithout'), false]], signal);
        return retry ? embed(query, signal) : null;
      }
      console.warn(`<pincite-chat embedder>: ${message}`);
      unusable = t(PERMANENT[code]);
      if (!keepsWords) view.note(`${unusable} ${t(host.matches('[answers=only]') ? 'encoderWordsAlone' : 'encoderServer')}`);
      return null;
    }
  }

  /**
   * Wait until the reader stops the question or continues without an embedding. Loading goes on for the next question.
   * @param {Promise<Embedding>} embedding
   * @param {AbortSignal} signal
   */
  async function waitFor(embedding, signal) {
    loading = view.loading();
    /** @type {Promise<null>} */
    const stopped = new Promise((resolve) => { signal.addEventListener('abort', () => resolve(null)); });
    try {
      return await Promise.race([embedding, loading.skipped, stopped]);
    } finally {
      loading.end();
      embedding.catch(() => {}); // The next question reports the failure.
    }
  }

  /** @param {string} text @param {ChatRequest} body @param {Parameters<Api['chat']>[1]} options */
  async function sendWordsIfAllowed(text, body, options) {
    const yes = await view.choose(text, [[t('encoderSendWords'), true], [t('encoderDecline'), false]], options.signal);
    if (!yes) throw new ApiError('stopped');
    wordsAllowed ||= body.mode === 'corpus';
    return send(body, options);
  }

  return embed;
}
