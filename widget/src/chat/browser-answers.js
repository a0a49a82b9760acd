/** Answers from the site's files, in the browser: on a site without a sidecar, or while the sidecar cannot be reached. */
import { ApiError, emitReply } from '../core/api.js';
import english from '../strings/en/encoder.js';
import { adopt, sheet } from '../styles/css.js';

/**
 * @import {AnswerHead, ChatEvent} from '../types.js'
 * @import {Api} from '../core/api.js'
 * @import {SiteFiles} from '../answering/answering.js'
 * @import {ChatParts, Embed} from './browser-embedding.js'
 */

/** The codes of failures in which no sidecar replied. */
const UNREACHABLE = new Set(['unreachable', 'cors']);

const withoutVotes = sheet('.vote{display:none!important}'); // Without a sidecar, nobody receives them.

/**
 * Replace `chat.api` by answers in the browser, always (`answers="only"`) or if the sidecar cannot be reached.
 * @param {ChatParts} chat
 * @param {URL} folder  The site's search files.
 * @param {Embed} embed
 */
export function answerInBrowser({ api, host, settings, environment: { root }, t }, folder, embed) {
  t.learn(english);
  /** @type {Promise<SiteFiles> | null} */
  let opened = null;

  /** Load the answering module with the first question. */
  function siteFiles() {
    opened ??= import('../answering/answering.js').then(({ createSiteFiles }) => createSiteFiles(folder));
    opened.catch(() => { opened = null; });
    return opened;
  }

  /** @type {Api['chat']} */
  async function ask(body, { onEvent, signal }) {
    try {
      const reply = await (await siteFiles()).answer(body, (text) => embed(text, signal));
      if (signal.aborted) throw new ApiError('stopped');
      emitReply(reply, onEvent);
    } catch (error) {
      const { code, message } = /** @type {ApiError} */ (error);
      if (code === 'stopped') throw new ApiError('stopped');
      console.warn(`<pincite-chat answers>: ${message}`); // For the site's operator.
      throw new ApiError('unreachable', message);
    }
  }

  /** @type {Pick<SiteFiles, 'questions' | 'resolve'>} */
  const fromFiles = {
    questions: (...args) => siteFiles().then((files) => files.questions(...args)),
    resolve: (...args) => siteFiles().then((files) => files.resolve(...args)),
  };

  if (host.getAttribute('answers') === 'only') {
    adopt(root, withoutVotes);
    return void Object.assign(api, { chat: ask, ...fromFiles });
  }

  const { chat: askSidecar, questions, resolve } = { ...api };
  let isAway = false;

  /** Check the sidecar while the reader reads an answer, so that the next question can go there. */
  const checkSidecar = () => fetch(`${settings.api.replace(/\/+$/u, '')}/health`)
    .then((response) => { isAway = !response.ok || !(response.headers.get('Content-Type') ?? '').includes('json'); }, () => {});

  /** @type {Api['chat']} */
  api.chat = async (body, options) => {
    let failure = null;
    try {
      if (!isAway) return await askSidecar(body, options);
    } catch (error) {
      if (!UNREACHABLE.has(/** @type {ApiError} */ (error).code)) throw error;
      isAway = true;
      failure = error;
    }
    const notice = { code: 'answered_here', message: t('answeredHere') };
    const withNotice = (/** @type {AnswerHead} */ head) => ({ ...head, notices: [notice, ...head.notices ?? []] });
    const onEvent = (/** @type {ChatEvent} */ event) => {
      if (event.type === 'start') return options.onEvent({ ...event, head: withNotice(event.head) });
      if (event.type !== 'refusal') return options.onEvent(event);
      options.onEvent({ ...event, refusal: { ...event.refusal, ...withNotice(event.refusal) } });
    };
    await ask(body, { ...options, onEvent }).catch((error) => { throw error.code === 'stopped' ? error : failure ?? error; });
    checkSidecar();
  };
  api.questions = (...args) => questions(...args).catch(() => fromFiles.questions(...args));
  api.resolve = (...args) => resolve(...args).catch(() => fromFiles.resolve(...args));
}
