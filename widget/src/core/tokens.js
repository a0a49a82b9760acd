/** Average characters of a Latin word in one token of a subword tokenizer. */
const LATIN_CHARACTERS_PER_TOKEN = 4;

/** The common vocabularies split other alphabets finer. */
const OTHER_CHARACTERS_PER_TOKEN = 2;

const IDEOGRAPH = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]';
const UNIT = new RegExp(`${IDEOGRAPH}|(?:(?!${IDEOGRAPH})[\\p{L}\\p{N}\\p{M}])+|[^\\s]`, 'gu');
const LATIN_WORD = /^[\p{sc=Latin}\p{N}]+$/u;
const WORD = /^[\p{L}\p{N}\p{M}]/u;

/**
 * Cut a text to a number of tokens at the end of a word. The tokens are an upper estimate, without a tokenizer.
 * @param {string} text
 * @param {number} limit
 */
export function truncateToTokens(text, limit) {
  let tokens = 0;
  let end = 0;
  for (const match of text.matchAll(UNIT)) {
    const [unit] = match;
    const perToken = LATIN_WORD.test(unit) ? LATIN_CHARACTERS_PER_TOKEN : OTHER_CHARACTERS_PER_TOKEN;
    const cost = WORD.test(unit) ? Math.ceil(unit.length / perToken) : 1;
    if (tokens + cost > limit) {
      // Only a single run longer than the limit (such as base64) is cut inside.
      if (end === 0) end = (limit - tokens) * OTHER_CHARACTERS_PER_TOKEN;
      return { text: text.slice(0, end), truncated: true };
    }
    tokens += cost;
    end = match.index + unit.length;
  }
  return { text, truncated: false };
}
