/** Tokenizes a question and selects its content tokens, as `pincite_core/embedders/onnx_encoder.py` does. */
import { Tokenizer } from '@huggingface/tokenizers'; // By the makers of the file format, and a tenth of Transformers.js.

/**
 * @typedef {object} Piece  A token of the text.
 * @property {number} word  Index of its word.
 * @property {number} from  Start in the text, in UTF-16 units.
 * @property {number} to  End, exclusive.
 */

/** A letter with its combining marks. Normalizing it alone gives the same result as within a text. */
const GRAPHEMES = /\P{M}\p{M}*|\p{M}+/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Marks of subword tokens: a continued word, a blank, the end of a word. */
const SUBWORD_MARKS = /^##|^[▁Ġ]+|<\/w>$/gu;

/**
 * @param {object} file  A `tokenizer.json`.
 * @param {Pick<import('./types.js').EncoderManifest, 'max_tokens' | 'stop_words' | 'prompt'>} settings
 */
export function createTokenizer(file, { max_tokens: maxTokens, stop_words: stopWords, prompt }) {
  const tokenizer = new Tokenizer(file, {});
  const stops = new Set(stopWords.split(' '));
  // The numbers of special tokens before and after a text.
  const [letter] = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const sample = tokenizer.encode('a').ids;
  const before = sample.indexOf(letter);
  const after = sample.length - before - 1;

  /**
   * @param {string} question
   * @returns {{ids: number[], content: number[]}} `content`: the positions of the content tokens, at least one.
   */
  return (question) => {
    const text = (prompt + question).replace(/\p{Surrogate}/gu, '?'); // Python does the same with lone surrogates.
    const { ids: all, tokens } = tokenizer.encode(text);
    const count = Math.min(all.length - before - after, maxTokens - before - after);
    const ids = [...all.slice(0, before + count), ...all.slice(all.length - after)];
    const pieces = locateTokens(tokenizer, text, tokens.slice(before, tokens.length - after)).slice(0, count);
    const content = contentPositions(text, pieces, prompt.length, stops).map((position) => before + position);
    return { ids, content: content.length ? content : ids.map((_, position) => position) };
  };
}

/**
 * Return the positions of the pieces with a letter or digit that are no stop words; all of the question's if there are none.
 * @param {string} text
 * @param {Piece[]} pieces
 * @param {number} start  Where the question starts, after the prompt.
 * @param {Set<string>} stops
 */
function contentPositions(text, pieces, start, stops) {
  const parts = new Map();
  for (const { word } of pieces) parts.set(word, (parts.get(word) ?? 0) + 1);
  const question = [...pieces.keys()].filter((position) => pieces[position].to > start);
  const content = question.filter((position) => {
    const { word, from, to } = pieces[position];
    const spelling = text.slice(Math.max(start, from), to).trim();
    return LETTER_OR_DIGIT.test(spelling) && !(parts.get(word) === 1 && stops.has(spelling.toLowerCase()));
  });
  return content.length ? content : question;
}

/**
 * Return where each token is in a text. The library does not report offsets, so each token is searched after the one before.
 * @param {Tokenizer} tokenizer
 * @param {string} text
 * @param {string[]} tokens  Of the text, without special tokens.
 * @returns {Piece[]}
 */
function locateTokens(tokenizer, text, tokens) {
  // The library declares no types for its parts.
  const { normalizer, pre_tokenizer: splitWords, model } = /** @type {any} */ (tokenizer);
  const { normal, places } = normalize(normalizer, text);
  const words = splitWords?.(normal, { section_index: 0 }) ?? [normal];
  /** @type {Piece[]} */
  const pieces = [];
  let cursor = 0;
  for (const [word, spelling] of words.entries()) {
    for (const token of model([spelling])) {
      const isExact = token === tokens[pieces.length] && token !== model.unk_token;
      const letters = isExact ? token.replace(SUBWORD_MARKS, '') : spelling;
      const at = normal.indexOf(letters, cursor);
      if (at >= 0) cursor = at + letters.length;
      const from = at >= 0 ? at : cursor;
      const last = places[cursor - 1];
      const to = cursor === 0 ? places[0] ?? 0 : places.slice(cursor).find((place) => place > last) ?? text.length;
      pieces.push({ word, from: places[from] ?? text.length, to });
    }
  }
  if (pieces.length === tokens.length) return pieces;
  return tokens.map((_, word) => ({ word, from: 0, to: text.length })); // The text contains a special token: every token counts.
}

/**
 * Return the normalized text, and the place in the original text of each of its UTF-16 units.
 * @param {((text: string) => string) | undefined} normalizer
 * @param {string} text
 */
function normalize(normalizer, text) {
  const whole = normalizer?.(text) ?? text;
  let normal = '';
  /** @type {number[]} */
  const places = [];
  for (const { 0: grapheme, index } of text.matchAll(GRAPHEMES)) {
    const part = normalizer?.(grapheme) ?? grapheme;
    normal += part;
    places.push(...Array(part.length).fill(index));
  }
  return normal === whole ? { normal, places } : { normal: whole, places: [...Array(whole.length).keys()] };
}
