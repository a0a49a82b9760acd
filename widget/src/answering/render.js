import { escapeProse } from './escaping.js';
import { indentOf } from './passage-selection.js';

/**
 * An answer's Markdown; citation markers are `[n]` (`answering/corpus/render.py`).
 *
 * @typedef {import('./types.js').Passage} Passage
 * @typedef {import('./types.js').Statement} Statement
 * @typedef {Statement[]} Block  Of one paragraph, item or row; a code block with all of its parts.
 * @typedef {Map<string, number>} Numbers  Of citations, by the places' ids.
 */

const TITLES = 2; // Of a heading path: the page's, and the section's own.
const TELLS = /^(?:description|meaning|explanation|details|purpose|notes?|comments?|summary)$/iu;
const APART = '\n\n';
const CONTINUED = ' …';

/**
 * @param {Passage[]} passages
 * @param {Numbers} numbers
 */
export function renderPassages(passages, numbers) {
  return passages.map(({ facts, statements }) => `### ${escapeProse(titleOf(facts.places[0].path))}${passageText(statements, numbers)}`).join(APART);
}

/** What a section is called away from its page: the page's title and its own. @param {string[]} path */
function titleOf(path) {
  const told = [...new Set(path)];
  return (told.length <= TITLES ? told : [told[0], told[told.length - 1]]).join(' › ');
}

/**
 * For each statement the place, among the answer's markers, of the one that it is cited by; null for a statement of a place without any.
 * @param {Passage[]} passages
 * @param {Numbers} numbers
 */
export function markersOf(passages, numbers) {
  /** @type {(number | null)[]} */
  const places = [];
  let count = 0;
  for (const { statements } of passages) {
    const blocks = blocksOf(statements);
    const shown = shownMarkers(blocks, numbers);
    /** @type {Map<number, number>} */
    const at = new Map();
    for (const [number, run] of runsOf(blocks, numbers)) {
      if (run.some((place) => shown[place] !== null)) {
        at.set(number, count);
        count += 1;
      }
      for (const place of run) places.push(...blocks[place].map(() => at.get(number) ?? null));
    }
  }
  return places;
}

/**
 * Each block with what parts it from the one before; one marker for blocks of the same place.
 * @param {Statement[]} statements
 * @param {Numbers} numbers
 */
function passageText(statements, numbers) {
  const blocks = blocksOf(statements);
  const shown = shownMarkers(blocks, numbers);
  const marked = blocks.filter(([{ layout }]) => layout.mark).map(([{ layout }]) => indentOf(layout.mark));
  const least = marked.length > 0 ? Math.min(...marked) : 0;
  return blocks.map((block, at) => gap(blocks[at - 1], block) + blockText(block, least, shown[at])).join('');
}

/**
 * @param {Block} block
 * @param {number} least  Indent of the passage's lists.
 * @param {number | null} number
 */
function blockText(block, least, number) {
  const [first] = block;
  const { kind, layout: { mark, note } } = first;
  const marker = number === null ? '' : ` [${number}]`;
  if (kind === 'code') return labelsOf(first) + listing(block) + (number === null ? '' : `\n[${number}]`);
  if (kind === 'row') return `${labelsOf(first)}- ${rowText(first)}${marker}`;
  if (kind === 'term') return `${labelsOf(first)}**${escapeProse(first.text)}**${marker}`;
  let text = block.map((one, at) => (at > 0 ? between(block[at - 1], one) : '') + linked(one)).join('') + marker;
  // Below "10. " a list needs four spaces to stand inside of the item.
  if (kind === 'item') text = `${' '.repeat(Math.max(0, 2 * (indentOf(mark) - least)))}${mark.trim() || ' '} ${text}`;
  return note ? `> ${noteLabel(first)}${text}` : labelsOf(first) + text;
}

/** A sentence as Markdown, with its links within this site. @param {Statement} statement */
function linked({ text, links, facts }) {
  let [cursor, shown] = [0, ''];
  for (const [start, end, number] of links) {
    const url = facts.links[number][0].replaceAll('(', '%28').replaceAll(')', '%29');
    shown += `${escapeProse(text.slice(cursor, start))}[${escapeProse(text.slice(start, end))}](${url})`;
    cursor = end;
  }
  return shown + escapeProse(text.slice(cursor));
}

/**
 * What parts two statements of a block: nothing where the docs have nothing between them.
 * @param {Statement} one
 * @param {Statement} after
 */
function between(one, after) {
  return one.part === after.part && one.start + one.text.length === after.start ? '' : ' ';
}

/**
 * The number to show after each block: after the last text of a place, or its code when it has none.
 * @param {Block[]} blocks
 * @param {Numbers} numbers
 */
function shownMarkers(blocks, numbers) {
  /** @type {(number | null)[]} */
  const shown = blocks.map(() => null);
  for (const [number, places] of runsOf(blocks, numbers)) {
    const text = places.filter((at) => !['code', 'term'].includes(blocks[at][0].kind));
    if (text.length > 0 || !shown.includes(number)) shown[(text.length > 0 ? text : places).at(-1) ?? 0] = number;
  }
  return shown;
}

/**
 * The citation number and the blocks, by their place in a passage, that follow one another and have it.
 * @param {Block[]} blocks
 * @param {Numbers} numbers
 */
function runsOf(blocks, numbers) {
  /** @type {[number: number, places: number[]][]} */
  const runs = [];
  blocks.forEach(([{ place }], at) => {
    const number = numbers.get(place.id) ?? 0;
    const last = runs.at(-1);
    if (last?.[0] === number) last[1].push(at);
    else runs.push([number, [at]]);
  });
  return runs;
}

/** @param {Statement[]} statements */
function blocksOf(statements) {
  /** @type {Block[]} */
  const blocks = [];
  for (const statement of statements) {
    const last = blocks.at(-1);
    if (last && (statement.layout.block === last[last.length - 1].layout.block || statement.goesOn)) last.push(statement);
    else blocks.push([statement]);
  }
  return blocks;
}

/** @param {Block | undefined} before @param {Block} block */
function gap(before, block) {
  if (!before) return APART;
  const [[one], [other]] = [before, block];
  if (one.layout.note !== other.layout.note || other.layout.labels.length > 0) return APART;
  if (one.kind === other.kind && ['item', 'row'].includes(one.kind)) return '\n';
  return one.layout.note ? '\n>\n' : APART;
}

/** @param {Statement} statement */
const labelsOf = ({ layout }) => layout.labels.map((label) => `**${escapeProse(label)}**\n\n`).join('');

/** @param {Statement} statement */
function noteLabel({ kind, layout: { labels } }) {
  const label = labels.map((text) => text.slice(0, 1).toUpperCase() + text.slice(1)).join(': ');
  return label ? `**${escapeProse(label)}**${kind === 'item' ? '\n>\n> ' : ' '}` : '';
}

/** A code block of one or several parts as one. @param {Block} block */
function listing(block) {
  const [opening, ...lines] = block[0].text.split('\n');
  const closing = lines.pop() ?? '';
  for (const part of block.slice(1)) lines.push(...part.text.split('\n').slice(1, -1));
  return [opening.endsWith(CONTINUED) ? opening.slice(0, -CONTINUED.length) : opening, ...lines, closing].join('\n');
}

/**
 * A row's cells in order: each one's column, empty where the table names none, and its text.
 * @param {Statement} statement
 */
export function cellsOf({ text, cells }) {
  /** @type {[column: string, text: string][]} */
  const found = [];
  for (let at = 0, cursor = 0; at < cells.length; at += 2) {
    const column = text.slice(cursor, cursor + cells[at]);
    cursor += cells[at] && cells[at] + 2;
    found.push([column, text.slice(cursor, cursor + cells[at + 1])]);
    cursor += cells[at + 1] + 2;
  }
  return found;
}

/** A row as its first cell, then the others with their columns, then what tells about it. @param {Statement} statement */
function rowText(statement) {
  const [[, name], ...rest] = cellsOf(statement);
  const told = rest.filter(([column]) => !column || TELLS.test(column)).map(([, text]) => text);
  const facts = rest.filter(([column]) => column && !TELLS.test(column)).map(([column, text]) => `${column}: ${text}`);
  const joined = (/** @type {string[]} */ texts) => texts.map(escapeProse).join('; ');
  const head = name.startsWith('`') ? name : `**${escapeProse(name)}**`;
  const brief = facts.length > 0 && told.length > 0 ? ` (${joined(facts)})` : '';
  const after = told.length > 0 ? told : facts;
  return `${head}${brief}${after.length > 0 ? ` – ${joined(after)}` : ''}`;
}
