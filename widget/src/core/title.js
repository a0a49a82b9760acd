/** Maximum number of characters in a conversation's title (HISTORY-3). */
export const TITLE_LENGTH = 80;

/**
 * A conversation's title: the first 80 characters of its first question, cut at the last whole word.
 * @param {string} question
 * @returns {string} At most 80 characters, plus "…" when something was cut.
 */
export function sessionTitle(question) {
  const characters = [...question.trim().replace(/\s+/gu, ' ')];
  if (characters.length <= TITLE_LENGTH) return characters.join('');
  const head = characters.slice(0, TITLE_LENGTH).join('');
  const endsOnAWord = characters[TITLE_LENGTH] === ' ';
  const lastSpace = head.lastIndexOf(' ');
  // Scripts without spaces have no earlier boundary to cut at.
  return `${(endsOnAWord || lastSpace < 1 ? head : head.slice(0, lastSpace)).trimEnd()}…`;
}
