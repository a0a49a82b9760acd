import { pathOf } from './page-path.js';
import { sectionFacts } from './units.js';

/**
 * Where a passage stands on the page it was highlighted on (`answering/passage/provenance.py`), by the letters of the page's sections.
 *
 * @typedef {import('./types.js').Standing} Standing
 */

const LEAST_LETTERS = 12;
const LEAST_PIECE = 6;
const PIECE_BREAK = /[\n\t\r|…]+|\.\.\./u;

/** Of a piece, as many letters tell where it stands. */
const TELLING = 60;

/**
 * Null when the page is unknown, or its sections do not show the passage.
 * @param {import('./types.js').Situation} situation
 * @param {string} passage
 * @returns {Promise<Standing | null>}
 */
export async function standingOf({ library, request }, passage) {
  const path = pathOf(request.selection?.page_url ?? '');
  const pieces = passage.split(PIECE_BREAK).map(lettersOf).filter((piece) => piece.length >= LEAST_PIECE);
  if (lettersOf(passage).length < LEAST_LETTERS || pieces.length === 0) return null;
  for (const shard of library.shards) {
    const numbers = [...shard.sections.keys()].filter((number) => pathOf(shard.sections[number].url) === path);
    const texts = await Promise.all(numbers.map((number) => lettersOfSection(shard, number)));
    const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one));
    const holding = [pieces[0].slice(0, TELLING), longest.slice(0, TELLING), pieces[pieces.length - 1].slice(-TELLING)]
      .map((piece) => texts.findIndex((text) => text.includes(piece)));
    if (holding[1] < 0) continue;
    const { places, chunk } = await sectionFacts(library, shard, numbers[Math.max(0, holding[0])]);
    const isOne = holding.every((at) => at === holding[0]);
    return { place: isOne ? places[0] : (await sectionFacts(library, shard, numbers[0])).places[0], chunk };
  }
  return null;
}

/** @param {import('./types.js').AnswerShard} shard @param {number} number */
async function lettersOfSection(shard, number) {
  const { firstPart, parts } = shard.sections[number];
  const texts = await Promise.all(Array.from({ length: parts }, (_, at) => shard.text(firstPart + at)));
  return lettersOf(texts.join(''));
}

/** @param {string} text */
const lettersOf = (text) => text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
