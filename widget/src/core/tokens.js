/** Average characters of a Latin word in one token of a subword tokenizer. */
const LATIN_CHARACTERS_PER_TOKEN = 4;

/** The common vocabularies split other alphabets finer. */
const OTHER_CHARACTERS_PER_TOKEN = 2;

const IDEOGRAPH = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]';
const UNIT = new RegExp(`${IDEOGRAPH}|(?:(?!${IDEOGRAPH})[\\p{L}\\p{N}\\p{M}])+|[^\\s]`, 'gu');
const LATIN_WORD = /^[\p{sc=Latin}\p{N}]+$/u;
const WORD = /^[\p{L}\p{N}\p{M}]/u;

/**
 * Return an upper estimate of a text's tokens, without downloading a tokenizer.
 * @param {string} text
 */
export function estimateTokens(text) {
  let tokens = 0;
  for (const [unit] of text.matchAll(UNIT)) tokens += unitCost(unit);
  return tokens;
}

/**
 * Cut a text to a number of tokens at the end of a word. Line breaks stay as they are.
 * @param {string} text
 * @param {number} limit
 */
export function truncateToTokens(text, limit) {
  let tokens = 0;
  let end = 0;
  for (const match of text.matchAll(UNIT)) {
    const cost = unitCost(match[0]);
    if (tokens + cost > limit) {
      // Only a single run longer than the limit (such as base64) is cut inside.
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
