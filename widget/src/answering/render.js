import { indentOf } from './passage-selection.js';
import { every, rules } from './rules.js';
/** @import {Passage, ScoredUnit} from './types.js' */

/** @typedef {ScoredUnit[]} Block  Statements of one paragraph, item or row; a code block with all of its parts. */
/** @typedef {Map<string, number>} Numbers  Of citations, by the places' ids. */

const APART = '\n\n';

/**
 * The Markdown of an answer (`answering/corpus/render.py`); citation markers are `[n]`.
 * @param {Passage[]} passages
 * @param {Numbers} numbers
 */
export function renderPassages(passages, numbers) {
  return passages.map(({ facts, statements }) => `### ${escapeProse(titleOf(facts.places[0].path))}${passageText(statements, numbers)}`).join(APART);
}

/** A section's title away from its page: the page's and its own. @param {string[]} path */
function titleOf(path) {
  const told = [...new Set(path)];
  return (told.length <= rules.rendering.titles ? told : [told[0], told[told.length - 1]]).join(' › ');
}

/**
 * For each statement the position of its marker among the answer's; null if its place has none.
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
 * Each block with its gap to the one before; one marker for blocks of the same place.
 * @param {ScoredUnit[]} statements
 * @param {Numbers} numbers
 */
function passageText(statements, numbers) {
  const blocks = blocksOf(statements);
  const shown = shownMarkers(blocks, numbers);
  const marked = blocks.filter(([{ layout }]) => layout.mark).map(([{ layout }]) => indentOf(layout.mark));
  const least = marked.length > 0 ? Math.min(...marked) : 0;
  return blocks.map((block, at) => gap(blocks[at - 1], block) + blockText(block, least, shown[at])).join('');
}

/** @param {Block} block @param {number} least  Indent of the passage's lists. @param {number | null} number */
function blockText(block, least, number) {
  const [first] = block;
  const { kind, layout: { mark, note } } = first;
  const marker = number === null ? '' : ` [${number}]`;
  if (kind === 'code') return labelsOf(first) + listing(block) + (number === null ? '' : `\n[${number}]`);
  if (kind === 'row') return `${labelsOf(first)}- ${rowText(first)}${marker}`;
  if (kind === 'term') return `${labelsOf(first)}**${escapeProse(first.text)}**${marker}`;
  let text = block.map((one, at) => (at > 0 ? between(block[at - 1], one) : '') + linked(one)).join('') + marker;
  if (kind === 'item') text = `${' '.repeat(Math.max(0, 2 * (indentOf(mark) - least)))}${itemMark(mark.trim()) || ' '} ${text}`;
  return note ? `> ${noteLabel(first)}${text}` : labelsOf(first) + text;
}

/** A sentence as Markdown, with its links within this site. @param {ScoredUnit} statement */
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
 * The gap of two statements of a block: nothing if the docs have nothing between them.
 * @param {ScoredUnit} one
 * @param {ScoredUnit} after
 */
const between = (one, after) => (one.part === after.part && one.start + one.text.length === after.start ? '' : ' ');

/**
 * The number to show after each block: after the last text of a place, or its code if it has none.
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

/** Runs of blocks with the same citation number, and their positions in the passage. @param {Block[]} blocks @param {Numbers} numbers */
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

/** @param {ScoredUnit[]} statements */
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

/** @param {ScoredUnit} statement */
const labelsOf = ({ layout }) => layout.labels.map((label) => `**${escapeProse(label)}**\n\n`).join('');

/** @param {ScoredUnit} statement */
function noteLabel({ kind, layout: { labels } }) {
  const label = labels.map((text) => text.slice(0, 1).toUpperCase() + text.slice(1)).join(': ');
  return label ? `**${escapeProse(label)}**${kind === 'item' ? '\n>\n> ' : ' '}` : '';
}

/** A code block of one or several parts as one. @param {Block} block */
function listing(block) {
  const { continued } = rules.rendering;
  const [opening, ...lines] = block[0].text.split('\n');
  const closing = lines.pop() ?? '';
  for (const part of block.slice(1)) lines.push(...part.text.split('\n').slice(1, -1));
  return [opening.endsWith(continued) ? opening.slice(0, -continued.length) : opening, ...lines, closing].join('\n');
}

/** A row's cells: each one's column, empty if the table names none, and its text. @param {ScoredUnit} statement */
export function cellsOf({ text, cells }) {
  const { column_joint: columnJoint, cell_joint: cellJoint } = rules.rendering;
  /** @type {[column: string, text: string][]} */
  const found = [];
  for (let at = 0, cursor = 0; at < cells.length; at += 2) {
    const column = text.slice(cursor, cursor + cells[at]);
    cursor += cells[at] && cells[at] + columnJoint.length;
    found.push([column, text.slice(cursor, cursor + cells[at + 1])]);
    cursor += cells[at + 1] + cellJoint.length;
  }
  return found;
}

/**
 * A row as its first cell, then the others with their columns, then its description. Cells without a column in front of
 * named ones are headers as well.
 * @param {ScoredUnit} statement
 */
function rowText(statement) {
  const { tells, cell_joint: joint } = rules.rendering;
  const cells = cellsOf(statement);
  const named = Math.max(1, cells.findIndex(([column]) => column));
  const rest = cells.slice(named);
  const told = rest.filter(([column]) => !column || tells.test(column)).map(([, text]) => text);
  const facts = rest.filter(([column]) => column && !tells.test(column)).map(([column, text]) => `${column}: ${text}`);
  const joined = (/** @type {string[]} */ texts) => texts.map(escapeProse).join(joint);
  const head = cells.slice(0, named).map(([, name]) => (name.startsWith('`') ? name : `**${escapeProse(name)}**`)).join(' › ');
  const brief = facts.length > 0 && told.length > 0 ? ` (${joined(facts)})` : '';
  const after = told.length > 0 ? told : facts;
  return `${head}${brief}${after.length > 0 ? ` – ${joined(after)}` : ''}`;
}

/**
 * Markdown that renders as a text, with its `code spans` (`answering/markdown.py`); nothing in it becomes a tag, link, list or heading.
 * @param {string} text
 */
export function escapeProse(text) {
  const { code_span: span, line_start: start } = rules.markdown;
  let markdown = '';
  let cursor = 0;
  for (const match of text.matchAll(every(span))) {
    markdown += escaped(text.slice(cursor, match.index)) + match[0];
    cursor = match.index + match[0].length;
  }
  markdown += escaped(text.slice(cursor));
  return markdown.replace(every(start), (_, indent, mark) => (/^\p{Nd}/u.test(mark) ? `${indent}${mark}\\` : `${indent}\\${mark}`));
}

/** The mark of a list item as Markdown: letters and Roman numerals follow a bullet (`answering/markdown.py`). @param {string} mark */
const itemMark = (mark) => (!mark || rules.markdown.item_mark.test(mark) ? mark : `- ${escapeProse(mark)}`);

/** @param {string} text */
function escaped(text) {
  const { always, edge_underscore: underscore, entity } = rules.markdown;
  return text.replace(every(always), '\\$&').replace(every(underscore), '\\_').replace(every(entity), '&amp;');
}
