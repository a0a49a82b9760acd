/** A link that opens the chat with a question typed in (`?ask=How do I…`): loaded where a page was opened by one. */

const PARAMETER = 'ask';

/**
 * Type in the question of the page's address, which then has it no more: a reload must not open it again. Whoever wrote the link,
 * the reader sends it.
 * @param {Pick<import('../types.js').Chat, 'open'>} chat
 */
export function openLink(chat) {
  const url = new URL(location.href);
  const question = url.searchParams.get(PARAMETER);
  if (!question) return;
  url.searchParams.delete(PARAMETER);
  history.replaceState(history.state, '', url);
  chat.open({ question });
}
