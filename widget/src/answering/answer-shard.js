import { openShard } from '../search/shard.js';

/**
 * @typedef {import('./types.js').AnswerEntry} AnswerEntry
 * @typedef {import('./types.js').AnswerShard} AnswerShard
 * @typedef {import('./types.js').AnswersFacts} AnswersFacts
 * @typedef {import('./types.js').Column} Column
 * @typedef {import('./types.js').Counts} Counts
 * @typedef {{parts: number[], units: number[][], titles: number[], tokens: number[]}} PlacesFile
 */

/** How often a posting says at most that a term stands in a place; what exceeds it is told in the file `exact`. */
const MOST_TIMES = 8;

/** Bytes of a token: 64 components of two bits. */
const TOKEN_BYTES = 16;

/** The columns in the order of the file `exact`, after "anywhere". @type {Column[]} */
export const COLUMNS = ['body', 'headings', 'page', 'links', 'code'];

/**
 * @param {AnswerEntry} entry
 * @param {import('./types.js').Load} load
 * @param {import('./types.js').LoadBytes} loadBytes
 * @returns {Promise<(firstPart: number, facts: AnswersFacts) => AnswerShard>} Which is told where it stands among the library's.
 */
export async function openAnswerShard(entry, load, loadBytes) {
  const [shard, words, exact] = await Promise.all([openShard(entry, load), load(entry.words[0]), load(entry.exact[0])]);
  const terms = words.vocabulary.split('\n').map((/** @type {string} */ line) => line.split(' ', 1)[0]);
  const numbers = new Map(terms.map((/** @type {string} */ term, /** @type {number} */ at) => [term, at]));
  const codes = new Map(exact.codes.map((/** @type {string} */ code, /** @type {number} */ at) => [code, at]));
  const counts = counterOf(shard, exact, numbers, codes);
  return (firstPart, { dimension }) => {
    /** @type {ReturnType<AnswerShard['vectors']> | undefined} */
    let vectors;
    /** @type {ReturnType<AnswerShard['tokens']> | undefined} */
    let tokens;
    return {
      ...shard, entry, terms, firstPart, exact, counts,
      vectors() {
        vectors ??= Promise.all([load(entry.places[0]), joined(entry.vectors, loadBytes)]).then(([places, bytes]) => (
          vectorsOf(places, new Int8Array(bytes.buffer), dimension)));
        vectors.catch(() => { vectors = undefined; });
        return vectors;
      },
      tokens() {
        tokens ??= Promise.all([load(entry.places[0]), joined(entry.tokens, loadBytes)]).then(([places, packed]) => (
          { packed, firsts: sums(places.tokens) }));
        tokens.catch(() => { tokens = undefined; });
        return tokens;
      },
    };
  };
}

export { TOKEN_BYTES };

/**
 * @param {string[]} files
 * @param {import('./types.js').LoadBytes} loadBytes
 */
async function joined(files, loadBytes) {
  const loaded = await Promise.all(files.map(loadBytes));
  const whole = new Uint8Array(loaded.reduce((total, { byteLength }) => total + byteLength, 0));
  let at = 0;
  for (const bytes of loaded) {
    whole.set(new Uint8Array(bytes), at);
    at += bytes.byteLength;
  }
  return whole;
}

/**
 * @param {PlacesFile} places
 * @param {Int8Array} rows
 * @param {number} dimension
 * @returns {import('./types.js').ShardVectors}
 */
function vectorsOf(places, rows, dimension) {
  const lengths = new Float64Array(rows.length / dimension);
  for (let row = 0; row < lengths.length; row += 1) {
    let squares = 0;
    for (let at = row * dimension; at < (row + 1) * dimension; at += 1) squares += rows[at] * rows[at];
    lengths[row] = Math.max(Math.sqrt(squares), 1);
  }
  return {
    dimension, rows, lengths,
    ofParts: Int32Array.from(places.parts),
    firstUnits: sums(places.units.map(({ length }) => length)),
    ofUnits: Int32Array.from(places.units.flat()),
    ofTitles: Int32Array.from(places.titles),
  };
}

/** Where each of some stretches begins, and the end of all. @param {number[]} lengths */
function sums(lengths) {
  const firsts = new Int32Array(lengths.length + 1);
  lengths.forEach((length, at) => { firsts[at + 1] = firsts[at] + length; });
  return firsts;
}

/**
 * @param {import('../search/shard.js').Shard} shard
 * @param {import('./types.js').ExactFile} exact
 * @param {Map<string, number>} numbers  Of terms.
 * @param {Map<string, number>} codes  Their numbers.
 * @returns {AnswerShard['counts']}
 */
function counterOf(shard, exact, numbers, codes) {
  const over = Object.fromEntries(Object.entries(exact.over).map(([column, flat]) => [column, exceeding(flat)]));
  const partsOfSection = (/** @type {number} */ section) => {
    const { firstPart, parts } = shard.sections[section];
    return range(firstPart, firstPart + parts);
  };
  const partsOfPage = (/** @type {number} */ page) => (
    range(shard.firstSections[page], shard.firstSections[page + 1]).flatMap(partsOfSection));
  const partsAt = {
    body: (/** @type {number} */ part) => [part], headings: partsOfSection, links: partsOfSection, page: partsOfPage,
  };

  return async (term) => {
    const [number, code] = [numbers.get(term), codes.get(term)];
    const postings = number === undefined ? null : await shard.postings(number);
    const columns = /** @type {Record<Column, Counts>} */ ({});
    for (const name of /** @type {const} */ (['body', 'headings', 'page', 'links'])) {
      const more = number === undefined ? undefined : over[name].get(number);
      columns[name] = postings ? spread(postings[name], more, partsAt[name]) : { parts: [], times: [] };
    }
    columns.code = code === undefined ? { parts: [], times: [] }
      : spread(unpacked(exact.postings[code]), over.code.get(code), partsAt.body);
    return { columns, ...foundOf(exact, columns, number, code) };
  };
}

/**
 * In how many parts of the locale a term stands: as the build counted, or as the scope has it where it is all of the locale.
 * @param {import('./types.js').ExactFile} exact
 * @param {Record<Column, Counts>} columns
 * @param {number | undefined} number
 * @param {number | undefined} code
 */
function foundOf({ found, found_codes: foundCodes }, columns, number, code) {
  const own = /** @type {Record<Column, number>} */ (Object.fromEntries(COLUMNS.map((name) => [name, columns[name].parts.length])));
  if (!found || !foundCodes) {
    return { anywhere: new Set(COLUMNS.flatMap((name) => columns[name].parts)).size, found: own };
  }
  if (number !== undefined) COLUMNS.slice(0, -1).forEach((name, at) => { own[name] = found[at + 1][number]; });
  if (code !== undefined) own.code = foundCodes[1][code];
  const anywhere = number === undefined ? code === undefined ? 0 : foundCodes[0][code] : found[0][number];
  return { anywhere, found: own };
}

/**
 * @param {import('../search/shard.js').Places} postings
 * @param {Map<number, number> | undefined} over
 * @param {(place: number) => number[]} partsAt
 * @returns {Counts}
 */
function spread([places, times], over, partsAt) {
  /** @type {Counts} */
  const counts = { parts: [], times: [] };
  places.forEach((place, at) => {
    for (const part of partsAt(place)) {
      counts.parts.push(part);
      counts.times.push(over?.get(place) ?? times[at]);
    }
  });
  return counts;
}

/** @param {number[]} flat  (term, place, times). @returns {Map<number, Map<number, number>>} */
function exceeding(flat) {
  const terms = new Map();
  for (let at = 0; at < flat.length; at += 3) {
    const places = terms.get(flat[at]) ?? new Map();
    terms.set(flat[at], places.set(flat[at + 1], flat[at + 2]));
  }
  return terms;
}

/** @param {number[]} packed @returns {import('../search/shard.js').Places} */
function unpacked(packed) {
  let place = 0;
  return [packed.map((number) => place += Math.floor(number / MOST_TIMES)), packed.map((number) => number % MOST_TIMES + 1)];
}

/** @param {number} from @param {number} to */
function range(from, to) {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
