/** Answers from the site's own files, in the browser: on a site without a sidecar, or while it cannot be reached. */
import { ApiError, emitReply } from '../core/api.js';
import english from '../strings/en/encoder.js';
import { adopt, sheet } from '../styles/css.js';

/**
 * @typedef {import('../types.js').ChatRequest} ChatRequest
 * @typedef {import('../core/api.js').Api['chat']} Ask
 * @typedef {import('./own-machine.js').OwnChat} OwnChat
 * @typedef {import('../answering/types.js').Embedded} Embedded
 * @typedef {import('../answering/site-files.js').SiteFiles} SiteFiles
 */

/** What the attribute `answers` says where there is no sidecar. */
export const ONLY = 'only';

/** Failures that tell of a sidecar that is not there, whatever it would say. */
const AWAY = new Set(['unreachable', 'cors']);

const withoutVotes = sheet('.vote{display:none!important}'); // Nobody counts them.

/**
 * Have the chat's questions answered here, always or when the sidecar cannot be reached.
 * @param {OwnChat} chat
 * @param {URL} folder  The site's files for the search.
 * @param {(query: string, signal: AbortSignal) => Promise<Embedded | null>} embed
 */
export function answerHere(chat, folder, embed) {
  const { api, host, settings, environment: { root }, t } = chat;
  t.learn(english);
  /** @type {Promise<SiteFiles> | null} */
  let opened = null;

  /** What answers, loaded when the first question is asked. */
  function siteFiles() {
    opened ??= import('../answering/answering.js').then(({ createSiteFiles }) => createSiteFiles(folder));
    opened.catch(() => { opened = null; });
    return opened;
  }

  /** @type {Ask} */
  async function ask(body, { onEvent, signal }) {
    const reply = await (await siteFiles()).answer(body, (text) => embed(text, signal));
    if (signal.aborted) throw new ApiError('stopped');
    emitReply(reply, onEvent);
  }

  /** @type {Pick<SiteFiles, 'questions' | 'resolve'>} */
  const fromFiles = {
    questions: (...asked) => siteFiles().then((files) => files.questions(...asked)),
    resolve: (...asked) => siteFiles().then((files) => files.resolve(...asked)),
  };

  if (host.getAttribute('answers') === ONLY) {
    adopt(root, withoutVotes);
    return void Object.assign(api, {
      chat: (/** @type {Parameters<Ask>} */ ...asked) => ask(...asked).catch((error) => { throw told(error); }),
      ...fromFiles,
    });
  }

  const { chat: askSidecar, questions, resolve } = { ...api };
  /** Whether it could not be reached when it was last tried. */
  let isAway = false;

  /** Look for the sidecar while an answer is read: the next question goes there as soon as it is back. */
  const lookForIt = () => fetch(`${settings.api.replace(/\/+$/u, '')}/health`)
    .then((response) => { isAway = !response.ok || !(response.headers.get('Content-Type') ?? '').includes('json'); }, () => {});

  /** @type {Ask} */
  api.chat = async (body, options) => {
    let failure = null;
    try {
      if (!isAway) return await askSidecar(body, options);
    } catch (error) {
      if (!AWAY.has(/** @type {ApiError} */ (error).code)) throw error;
      isAway = true;
      failure = error;
    }
    const onEvent = withNotice({ code: 'answered_here', message: t('answeredHere') }, options.onEvent);
    await ask(body, { ...options, onEvent }).catch((error) => {
      const shown = told(error);
      throw shown.code === 'stopped' ? shown : failure ?? shown;
    });
    lookForIt();
  };
  api.questions = (...asked) => questions(...asked).catch(() => fromFiles.questions(...asked));
  api.resolve = (...asked) => resolve(...asked).catch(() => fromFiles.resolve(...asked));
}

/**
 * Say it at the head of what comes.
 * @param {import('../types.js').Notice} notice
 * @param {Parameters<Ask>[1]['onEvent']} onEvent
 * @returns {Parameters<Ask>[1]['onEvent']}
 */
function withNotice(notice, onEvent) {
  const add = (/** @type {import('../types.js').AnswerHead} */ head) => ({ ...head, notices: [notice, ...head.notices ?? []] });
  return (event) => {
    if (event.type === 'start') return onEvent({ ...event, head: add(event.head) });
    if (event.type === 'refusal') return onEvent({ ...event, refusal: { ...event.refusal, ...add(event.refusal) } });
    onEvent(event);
  };
}

/**
 * What a reader is told of a failure here: the files cannot be had; who runs the site finds why in the console.
 * @param {unknown} error
 */
function told(error) {
  const { code, message } = /** @type {ApiError} */ (error);
  if (code === 'stopped') return new ApiError('stopped');
  console.warn(`<pincite-chat answers>: ${message}`);
  return new ApiError('unreachable', message);
}
