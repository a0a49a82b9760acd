import { indentOf } from './passage-selection.js';
import { every, rules } from './rules.js';
/** @import {Passage, ScoredUnit} from './types.js' */

/** @typedef {ScoredUnit[]} Block  Statements of one paragraph, item or row; a code block with all of its parts. */

const APART = '\n\n';

/**
 * The Markdown of an answer (`answering/corpus/render.py`), and for each statement the position of its marker `[n]` among the answer's.
 * @param {Passage[]} passages @param {Map<string, number>} numbers  Of citations, by the places' ids.
 */
export function renderPassages(passages, numbers) {
  /** @type {number[]} */
  const markers = [];
  let count = 0;
  const texts = passages.map(({ facts, statements }) => {
    const blocks = runsOf(statements, (one, before) => one.block === before.block || one.goes_on);
    const numberOf = (/** @type {number} */ at) => numbers.get(blocks[at][0].place.id) ?? 0;
    /** The number to show after each block: after the last text of a place, or its code if it has none. @type {Map<number, number>} */
    const shown = new Map();
    /** @type {Map<number, number>} */
    const markerOf = new Map();
    for (const run of runsOf([...blocks.keys()], (at, before) => numberOf(at) === numberOf(before))) {
      const number = numberOf(run[0]);
      const text = run.filter((at) => !['code', 'term'].includes(blocks[at][0].kind));
      if (text.length > 0 || !markerOf.has(number)) {
        shown.set((text.length > 0 ? text : run).at(-1) ?? 0, number);
        markerOf.set(number, count);
        count += 1;
      }
      markers.push(...run.flatMap((at) => blocks[at].map(() => markerOf.get(number) ?? 0)));
    }
    const marked = blocks.filter(([{ mark }]) => mark).map(([{ mark }]) => indentOf(mark));
    const least = marked.length > 0 ? Math.min(...marked) : 0;
    const text = blocks.map((block, at) => gap(blocks[at - 1], block) + blockText(block, least, shown.get(at))).join('');
    const path = [...new Set(facts.places[0].path)];
    const title = path.length <= rules.rendering.titles ? path : [path[0], path[path.length - 1]]; // Its page's and its own.
    return `### ${escapeProse(title.join(' › '))}${text}`;
  });
  return { text: texts.join(APART), markers };
}

/** @param {Block} block @param {number} least  Indent of the passage's lists. @param {number} [number]  Of the citation to show. */
function blockText(block, least, number) {
  const [first] = block;
  const { kind, mark, admonition } = first;
  const marker = number === undefined ? '' : ` [${number}]`;
  if (kind === 'code') return labelsOf(first) + listing(block) + (number === undefined ? '' : `\n[${number}]`);
  if (kind === 'row') return `${labelsOf(first)}- ${rowText(first)}${marker}`;
  if (kind === 'term') return `${labelsOf(first)}**${escapeProse(first.text)}**${marker}`;
  let text = block.map((one, at) => (at > 0 ? between(block[at - 1], one) : '') + linked(one)).join('') + marker;
  if (kind === 'item') text = `${' '.repeat(Math.max(0, 2 * (indentOf(mark) - least)))}${itemMark(mark.trim()) || ' '} ${text}`;
  return admonition ? `> ${noteLabel(first)}${text}` : labelsOf(first) + text;
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

/** The gap of two statements of a block: nothing if the docs have none. @param {ScoredUnit} one @param {ScoredUnit} after */
const between = (one, after) => (one.part === after.part && one.end === after.start ? '' : ' ');

/**
 * Items in runs, in each of which all but the first go on with the one before.
 * @template T @param {T[]} items @param {(one: T, before: T) => boolean} goesOn
 */
function runsOf(items, goesOn) {
  /** @type {T[][]} */
  const runs = [];
  items.forEach((one, at) => (at > 0 && goesOn(one, items[at - 1]) ? runs[runs.length - 1].push(one) : runs.push([one])));
  return runs;
}

/** @param {Block | undefined} before @param {Block} block */
function gap(before, block) {
  if (!before) return APART;
  const [[one], [other]] = [before, block];
  if (one.admonition !== other.admonition || other.labels.length > 0) return APART;
  if (one.kind === other.kind && ['item', 'row'].includes(one.kind)) return '\n';
  return one.admonition ? '\n>\n' : APART;
}

/** @param {ScoredUnit} statement */
const labelsOf = ({ labels }) => labels.map((label) => `**${escapeProse(label)}**\n\n`).join('');

/** @param {ScoredUnit} statement */
function noteLabel({ kind, labels }) {
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

/** A row as its first cells up to the first with a column, then the others, then its description. @param {ScoredUnit} statement */
function rowText({ text: row, cells }) {
  const { tells, cell_joint: joint } = rules.rendering;
  const parts = cells.map(([from, to, start, end]) => [row.slice(from, to), row.slice(start, end)]);
  const named = Math.max(1, parts.findIndex(([column]) => column));
  const rest = parts.slice(named);
  const told = rest.filter(([column]) => !column || tells.test(column)).map(([, text]) => text);
  const facts = rest.filter(([column]) => column && !tells.test(column)).map(([column, text]) => `${column}: ${text}`);
  const joined = (/** @type {string[]} */ texts) => texts.map(escapeProse).join(joint);
  const head = parts.slice(0, named).map(([, name]) => (name.startsWith('`') ? name : `**${escapeProse(name)}**`)).join(' › ');
  const brief = facts.length > 0 && told.length > 0 ? ` (${joined(facts)})` : '';
  const after = told.length > 0 ? told : facts;
  return `${head}${brief}${after.length > 0 ? ` – ${joined(after)}` : ''}`;
}

/** A unit without fences and backticks; of a row the cells, a tab between them, without their columns. @param {ScoredUnit} statement */
export function plainText({ kind, text, cells }) {
  if (kind === 'code') return text.split('\n').slice(1, -1).join('\n');
  return (kind === 'row' ? cells.map(([, , start, end]) => text.slice(start, end)).join('\t') : text).replaceAll('`', '');
}

/** Markdown that renders exactly as a text with `code spans`, without links or lists (`answering/markdown.py`). @param {string} text */
export function escapeProse(text) {
  const { code_span: span, line_start: start } = rules.markdown;
  let [markdown, cursor] = ['', 0];
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
