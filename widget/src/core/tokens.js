/** Characters of a space-separated word that a sub-word tokenizer takes for one token, on average. */
const LATIN_CHARACTERS_PER_TOKEN = 4;

/** Other alphabets split finer in the vocabularies in use. */
const OTHER_CHARACTERS_PER_TOKEN = 2;

const IDEOGRAPH = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]';
const UNIT = new RegExp(`${IDEOGRAPH}|(?:(?!${IDEOGRAPH})[\\p{L}\\p{N}\\p{M}])+|[^\\s]`, 'gu');
const LATIN_WORD = /^[\p{sc=Latin}\p{N}]+$/u;
const WORD = /^[\p{L}\p{N}\p{M}]/u;

/**
 * The largest number of tokens a text may plausibly cost; no tokenizer is shipped to the browser for this.
 * @param {string} text
 * @returns {number}
 */
export function estimateTokens(text) {
  let tokens = 0;
  for (const [unit] of text.matchAll(UNIT)) tokens += unitCost(unit);
  return tokens;
}

/**
 * Cut a text to a number of tokens, on a unit's boundary, leaving its line breaks as they are.
 * @param {string} text
 * @param {number} limit
 * @returns {{text: string, truncated: boolean}}
 */
export function truncateToTokens(text, limit) {
  let tokens = 0;
  let end = 0;
  for (const match of text.matchAll(UNIT)) {
    const cost = unitCost(match[0]);
    if (tokens + cost > limit) {
      // A single run longer than the limit (a base64 blob) is cut inside; a word is not.
      if (end === 0) end = (limit - tokens) * OTHER_CHARACTERS_PER_TOKEN;
      return { text: text.slice(0, end), truncated: true };
    }
    tokens += cost;
    end = match.index + match[0].length;
  }
  return { text, truncated: false };
}

/** @param {string} unit */
function unitCost(unit) {
  if (LATIN_WORD.test(unit)) return Math.ceil(unit.length / LATIN_CHARACTERS_PER_TOKEN);
  return WORD.test(unit) ? Math.ceil(unit.length / OTHER_CHARACTERS_PER_TOKEN) : 1;
}
