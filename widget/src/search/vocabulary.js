/** Fewest letters of a word that may be misspelled, and of one that may be so twice. */
const ONE_WRONG = 4;
const TWO_WRONG = 8;

/** How much of a word that is in no spelling of the docs another must begin with to be of its family (*mocked*, *mocking*). */
const FAMILY_SHARE = 0.75;
const FAMILY_LETTERS = 4;

/**
 * The spellings on a site, sorted, and the term that each stands for.
 * @param {string} text  As the indexer writes it: a line a term, each followed by `CUT:ADDED` for its spellings.
 */
export function readVocabulary(text) {
  const lines = text.split('\n');
  /** @type {[form: string, term: number][]} */
  const entries = [];
  lines.forEach((line, term) => {
    for (const form of spellingsOf(line)) entries.push([form, term]);
  });
  entries.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const forms = entries.map(([form]) => form);

  /** The first spelling that is not before a text. @param {string} start */
  function from(start) {
    let low = 0;
    for (let high = forms.length; low < high;) {
      const middle = (low + high) >> 1;
      if (forms[middle] < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Spellings that begin with a text. @param {string} start */
  function* beginning(start) {
    for (let at = from(start); forms[at]?.startsWith(start); at += 1) yield entries[at];
  }

  return {
    beginning,
    /** The terms in the order of their numbers. */
    terms: lines.map((line) => line.split(' ', 1)[0]),
    /** All spellings of a term. @param {number} term */
    spellings: (term) => spellingsOf(lines[term]),
    /** The terms of a word as it is spelled. @param {string} form */
    *exactly(form) {
      for (let at = from(form); forms[at] === form; at += 1) yield entries[at];
    },
    /** Words of the same family, as far as their beginnings tell. @param {string} form */
    *family(form) {
      const shared = Math.max(FAMILY_LETTERS, Math.ceil(form.length * FAMILY_SHARE));
      if (form.length < shared) return;
      for (const entry of beginning(form.slice(0, shared))) {
        if (Math.abs(entry[0].length - form.length) <= FAMILY_LETTERS - 1) yield entry;
      }
    },
    /** Words that are nearly spelled so; the first letter is right. @param {string} form */
    *near(form) {
      const most = form.length >= TWO_WRONG ? 2 : Number(form.length >= ONE_WRONG);
      if (!most) return;
      for (const entry of beginning(form[0])) {
        if (Math.abs(entry[0].length - form.length) <= most && distance(entry[0], form, most) <= most) yield entry;
      }
    },
  };
}

/** @typedef {ReturnType<typeof readVocabulary>} Vocabulary */

/** @param {string} line  Of a term, itself first. */
function spellingsOf(line) {
  const [own, ...endings] = line.split(' ');
  return [own, ...endings.map((ending) => {
    const colon = ending.indexOf(':');
    return own.slice(0, own.length - Number(ending.slice(0, colon))) + ending.slice(colon + 1);
  })];
}

/**
 * Letters to change, add, leave out or exchange with their neighbour to make one word the other.
 * @param {string} one
 * @param {string} other
 * @param {number} most  More than this need not be told apart.
 */
export function distance(one, other, most) {
  let before = /** @type {number[]} */ ([]);
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      next[column] = Math.min(last[column - 1] + Number(!same), last[column] + 1, next[column - 1] + 1);
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && swapped) next[column] = Math.min(next[column], before[column - 2] + 1);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, last] = [last, next];
  }
  return last[other.length];
}
