/**
 * What of answering is done on the reader's own machine, where the site says so; loaded with the chat there. The one place where
 * the chat's way to the sidecar is changed: `chat.api.chat` is put behind what is named here, before anything is asked.
 */
import { createEncoder } from '../encoder/encoder.js';
import { answerHere } from './answers-here.js';
import { embedQuestions } from './embedded-questions.js';

/**
 * @typedef {object} OwnChat  What is used of the chat.
 * @property {import('../core/api.js').Api} api
 * @property {import('../types.js').ChatHost} host
 * @property {import('../core/i18n.js').Translate} t
 * @property {import('./panel.js').Panel} panel
 * @property {{api: string, storagePrefix: string}} settings
 * @property {import('../types.js').ChatEnvironment} environment
 * @property {import('../core/storage.js').SafeStorage} storage
 */

/** @param {OwnChat} chat */
export function useOwnMachine(chat) {
  const { host } = chat;
  const embed = host.hasAttribute('embedder') || host.hasAttribute('send') ? embedQuestions(chat, makeEncoder(host)) : async () => null;
  if (host.hasAttribute('answers')) {
    const files = host.getAttribute('search') || new URL('search/', import.meta.url).href;
    answerHere(chat, new URL(files, document.baseURI), embed);
  }
}

/**
 * @param {import('../types.js').ChatHost} host
 * @returns {import('./embedded-questions.js').MakeEncoder}
 */
function makeEncoder(host) {
  const named = host.getAttribute('embedder') || 'browser';
  // Beside the widget, unless the site says where; a worker is of the page's own origin.
  const folder = new URL(named === 'browser' ? new URL('./', import.meta.url).href : named, document.baseURI).href;
  return (onProgress, agreed) => createEncoder({ folder, onProgress, agreed });
}
