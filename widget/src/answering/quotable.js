import { cosines } from './cosines.js';
import { removedFrom, foundIn } from './phrases.js';
import { termsOf } from './terms.js';
import { sectionFacts, unitsOf } from './units.js';

/**
 * What an answer may quote: each unit of a section, and how well it answers (`answering/corpus/unit_scoring.py`).
 *
 * @typedef {import('./types.js').Quotable} Quotable
 * @typedef {import('./types.js').RankedSection} RankedSection
 * @typedef {import('./types.js').Unit} Unit
 */

const COVERAGE_WEIGHT = 0.35;
const QUANTITY_BONUS = 0.15;
const WHETHER_BONUS = 0.05;
const PENALTIES = { stands: 0, leans: 0.06, asks: 1, refers: 0.25, announces: 0.05, fragment: 0.25 };
const OTHER_CASE_PENALTY = 0.15;
const NOTE_PENALTY = 0.08;

/** Parts; of a longer section, its opening and what stands around its best part. */
const PARTS = 8;

/** Of the beginning or end of a compound, and how many letters more the compound has. */
const SHORTEST_PART = 4;
const SHORTEST_REST = 3;

const QUANTITIES = /** @type {const} */ (['duration', 'size', 'count', 'number']);

/**
 * Weighs the units of sections for one question.
 * @param {import('./types.js').Asking} asking
 * @returns {(section: RankedSection) => Promise<Quotable[]>} In order; of tabs, those in the first or in the one asked about.
 */
export function createQuotables({ library, embedded, result: { query, rarity }, phrases, hears }) {
  const asked = heldTerms(library, removedFrom(phrases.asking, query.text), new Set(rarity.keys()));
  const subject = asked.size > 0 ? asked : new Set(rarity.keys());
  const quantity = QUANTITIES.find((kind) => foundIn(phrases[kind], query.text));
  const whether = foundIn(phrases.whether, query.text);
  const whole = sum(rarity.values());
  const held = (/** @type {string} */ text) => heldTerms(library, text, subject);
  const names = (/** @type {string} */ label) => !!label && termsOf(library, label).some((term) => rarity.has(term));
  /** @type {Map<string, Promise<Quotable[]>>} */
  const known = new Map();

  /** @param {RankedSection} section */
  async function read({ shard, section, part: best }) {
    const facts = await sectionFacts(library, shard, section);
    const vectors = embedded && await shard.vectors();
    /** @type {import('./types.js').Shown[]} */
    const shown = [];
    let [block, number, last] = [0, 0, -1];
    for (let ordinal = 0; ordinal < facts.parts; ordinal += 1) {
      const part = facts.firstPart + ordinal;
      const units = await unitsOf(library, shard, part);
      const near = facts.parts <= PARTS || ordinal <= 1 || (part - best >= -1 && part - best <= 2);
      if (near || (last === part - 1 && units[0]?.goesOn)) {
        last = part;
        const text = await shard.text(part);
        const rows = vectors?.ofUnits.subarray(vectors.firstUnits[part], vectors.firstUnits[part + 1]);
        const cosine = vectors ? cosines(embedded.vector, vectors, rows) : [];
        for (const [at, unit] of units.entries()) {
          block += Number(unit.begins);
          const seen = { unit, number: number + at, part, text: text.slice(unit.start, unit.end), block, cosine: cosine[at] ?? 0 };
          if (hears || !unit.injection) shown.push(seen);
        }
      }
      number += units.length;
    }
    const named = new Set(shown.map(({ unit: { more } }) => more).filter(({ tab = '', first }) => first && names(tab)).map(({ first }) => first));
    const title = held(facts.places[0].path.at(-1) ?? '');
    return shown.filter(({ unit: { more: { tab = '', first = '' } } }) => (named.has(first) ? names(tab) : tab === first))
      .map((seen) => weigh(facts, seen, title));
  }

  /**
   * What a section's title says is said of all of it, and need not be said again.
   * @param {import('./types.js').SectionFacts} facts
   * @param {import('./types.js').Shown} seen
   * @param {Set<string>} title
   * @returns {Quotable}
   */
  function weigh(facts, { unit, number, part, text, block, cosine }, title) {
    const words = held(text);
    const told = [...rarity].filter(([term]) => title.has(term) || words.has(term)); // In one order, so that equals tie.
    const share = whole ? sum(told.map(([, weight]) => weight)) / whole : 0;
    const isOther = unit.case && held(text.split(';', 1)[0]).size === 0;
    const gained = (quantity && unit[quantity] ? QUANTITY_BONUS : 0) + (whether && unit.whether ? WHETHER_BONUS : 0);
    const lost = PENALTIES[unit.stance] + (unit.admonition ? NOTE_PENALTY : 0) + (isOther ? OTHER_CASE_PENALTY : 0);
    const score = cosine + COVERAGE_WEIGHT * share + gained - lost;
    const { mark = '', labels = [], tab = '', cells = [], links = [], tabs = [] } = unit.more;
    const [, passage] = tabs.find(([name]) => names(name)) ?? [tab, unit.passage];
    return {
      facts, place: facts.places[unit.place], part, ordinal: part - facts.firstPart, start: unit.start, text, cells, score, share,
      kind: unit.kind, stance: unit.stance, goesOn: unit.goesOn, unproved: unit.unproved, opening: unit.opening, entry: unit.entry,
      navigation: unit.navigation, warning: unit.warning, picks: unit.picks, number, passage, links,
      layout: { block, mark, labels, note: unit.admonition, tab },
    };
  }

  return (section) => {
    const key = `${section.shard.firstPart}/${section.section}/${section.part}`;
    const units = known.get(key) ?? read(section);
    known.set(key, units);
    return units;
  };
}

/**
 * Which of a question's terms a text of the docs holds, be it at the beginning or the end of a compound.
 * @param {import('./types.js').Library} library
 * @param {string} text
 * @param {Set<string>} asked
 */
export function heldTerms(library, text, asked) {
  const said = new Set(termsOf(library, text));
  const isCompounding = library.language in library.facts.tables.links;
  const inside = (/** @type {string} */ term) => isCompounding && term.length >= SHORTEST_PART
    && [...said].some((word) => word.length >= term.length + SHORTEST_REST && (word.startsWith(term) || word.endsWith(term)));
  return new Set([...asked].filter((term) => said.has(term) || inside(term)));
}

/** @param {Iterable<number>} numbers */
function sum(numbers) {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
