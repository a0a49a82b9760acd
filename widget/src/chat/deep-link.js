/** Opens the chat with a question from the page's address (`?ask=How do I…`); loaded if there is one. */

/**
 * Type in the question and remove it from the address, so that a reload does not open it again. The reader sends it.
 * @param {Pick<import('../types.js').Chat, 'open'>} chat
 */
export function openLink(chat) {
  const url = new URL(location.href);
  const question = url.searchParams.get('ask');
  if (!question) return;
  url.searchParams.delete('ask');
  history.replaceState(history.state, '', url);
  chat.open({ question });
}
