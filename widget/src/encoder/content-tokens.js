/** A question in the model's tokens, and which of them tell what it is about: as `pincite_core/embedders/onnx_encoder.py`. */
import { Tokenizer } from '@huggingface/tokenizers'; // Of the library that made the file, and a tenth of Transformers.js.

/**
 * @typedef {object} Piece  A token of the text.
 * @property {number} word  Which of the text's words it is of.
 * @property {number} from  Where it is in the text, in UTF-16 units; as `to`, which is after it.
 * @property {number} to
 *
 * @typedef {object} Tokenized
 * @property {number[]} ids
 * @property {number[]} content  The positions of the content tokens; never none.
 */

/** A letter with the marks on it: normalised alone it becomes what it becomes within a text. */
const LETTERS = /\P{M}\p{M}*|\p{M}+/gu;
const TELLING = /[\p{L}\p{N}]/u;

/** What tokens carry besides their letters: the sign of a word that goes on, and that of a blank. */
const MARKS = /^##|^[▁Ġ]+|<\/w>$/gu;

/**
 * @param {object} file  A `tokenizer.json`.
 * @param {Pick<import('./types.js').EncoderManifest, 'max_tokens' | 'stop_words' | 'prompt'>} settings
 * @returns {(text: string) => Tokenized}
 */
export function createTokenizer(file, { max_tokens: most, stop_words: stopWords, prompt }) {
  const tokenizer = new Tokenizer(file, {});
  const stops = new Set(stopWords.split(' '));
  const { before, after } = ownMarks(tokenizer);
  return (text) => {
    const whole = passable(prompt + text);
    const { ids: marked, tokens } = tokenizer.encode(whole);
    const count = Math.min(marked.length - before - after, most - before - after);
    const ids = [...marked.slice(0, before + count), ...marked.slice(marked.length - after)];
    const pieces = piecesOf(tokenizer, whole, tokens.slice(before, tokens.length - after)).slice(0, count);
    const content = contentOf(whole, pieces, prompt.length, stops).map((position) => before + position);
    return { ids, content: content.length ? content : ids.map((_, position) => position) };
  };
}

/**
 * How many marks of its own a model puts before and after a text.
 * @param {Tokenizer} tokenizer
 */
function ownMarks(tokenizer) {
  const [bare] = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const { ids } = tokenizer.encode('a');
  const before = ids.indexOf(bare);
  return { before, after: ids.length - before - 1 };
}

/**
 * The text without halves of letters, as Python passes it on.
 * @param {string} text
 */
const passable = (text) => text.replace(/\p{Surrogate}/gu, '?');

/**
 * The positions of the pieces that tell something: with a letter or digit, and no stop word; else all of the text's own.
 * @param {string} text
 * @param {Piece[]} pieces
 * @param {number} start  Where the text itself starts, after the prompt.
 * @param {Set<string>} stops
 */
function contentOf(text, pieces, start, stops) {
  const parts = new Map();
  for (const { word } of pieces) parts.set(word, (parts.get(word) ?? 0) + 1);
  const own = [...pieces.keys()].filter((position) => pieces[position].to > start);
  const telling = own.filter((position) => {
    const { word, from, to } = pieces[position];
    const spelled = text.slice(Math.max(start, from), to).trim();
    return TELLING.test(spelled) && !(parts.get(word) === 1 && stops.has(spelled.toLowerCase()));
  });
  return telling.length ? telling : own;
}

/**
 * Where each token of a text is in it. The library does not say; words and their tokens follow each other, so each is looked
 * for after the one before.
 * @param {Tokenizer} tokenizer
 * @param {string} text
 * @param {string[]} tokens  Of the text, without the model's own marks.
 * @returns {Piece[]}
 */
function piecesOf(tokenizer, text, tokens) {
  const { normal, places } = normalised(tokenizer, text);
  const words = /** @type {any} */ (tokenizer.pre_tokenizer)?.(normal, { section_index: 0 }) ?? [normal];
  /** @type {Piece[]} */
  const pieces = [];
  let cursor = 0;
  for (const [word, spelling] of words.entries()) {
    for (const token of /** @type {any} */ (tokenizer.model)([spelling])) {
      const letters = token === tokens[pieces.length] && !isUnknown(tokenizer, token) ? token.replace(MARKS, '') : spelling;
      const at = normal.indexOf(letters, cursor);
      if (at >= 0) cursor = at + letters.length;
      const from = at >= 0 ? at : cursor;
      pieces.push({ word, from: places[from] ?? text.length, to: endOf(places, cursor, text) });
    }
  }
  if (pieces.length === tokens.length) return pieces;
  return tokens.map((_, word) => ({ word, from: 0, to: text.length })); // A mark of the model's own is in the text: all of it counts.
}

/**
 * @param {number[]} places
 * @param {number} cursor
 * @param {string} text
 */
function endOf(places, cursor, text) {
  if (cursor === 0) return places[0] ?? 0;
  const last = places[cursor - 1];
  return places.slice(cursor).find((place) => place > last) ?? text.length;
}

/**
 * The text as the model's normaliser leaves it, and where each of its UTF-16 units comes from.
 * @param {Tokenizer} tokenizer
 * @param {string} text
 */
function normalised(tokenizer, text) {
  const whole = /** @type {string} */ (/** @type {any} */ (tokenizer.normalizer)?.(text) ?? text);
  let normal = '';
  /** @type {number[]} */
  const places = [];
  for (const { 0: letter, index } of text.matchAll(LETTERS)) {
    const own = /** @type {any} */ (tokenizer.normalizer)?.(letter) ?? letter;
    normal += own;
    places.push(...Array(own.length).fill(index));
  }
  return normal === whole ? { normal, places } : { normal: whole, places: [...Array(whole.length).keys()] };
}

/**
 * @param {Tokenizer} tokenizer
 * @param {string} token
 */
const isUnknown = (tokenizer, token) => token === /** @type {any} */ (tokenizer.model).unk_token;
