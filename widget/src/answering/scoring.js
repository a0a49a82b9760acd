import { sum } from '../search/numbers.js';
import { foundIn, removedFrom } from './phrases.js';
import { rules } from './rules.js';
import { heldTerms, termsOf } from './terms.js';
import { cosines } from './vectors.js';
/** @import {AnswerContext, RankedSection} from './types.js' */

/**
 * Scores the units of sections for one question (`answering/corpus/unit_scoring.py`), in order; of tabs, those of the first or of the
 * one asked about.
 * @param {AnswerContext} context
 */
export function createScorer({ library, embedded, result: { query, idf }, phrases, aboutAssistants }) {
  const { scoring } = rules;
  const asked = heldTerms(library, removedFrom(phrases.asking, query.text), idf.keys());
  const subject = asked.size > 0 ? asked : new Set(idf.keys());
  /** @type {'count' | undefined} */
  const quantity = rules.units.quantities.find((/** @type {'count'} */ kind) => foundIn(phrases[kind], query.text));
  const whether = foundIn(phrases.whether, query.text);
  const whole = sum(idf.values());
  const names = (/** @type {string} */ label) => !!label && termsOf(library, label).some((term) => idf.has(term));

  /** The units that are read; of a long section, those of its opening and around its best part. @param {RankedSection} section */
  async function unitsNear({ shard, section, part: best }) {
    const facts = await shard.factsOf(section);
    const vectors = embedded && await shard.vectors();
    const units = [];
    let [block, read, last] = [0, 0, -1];
    for (const part of shard.partsOf(section)) {
      const ordinal = part - facts.firstPart;
      const own = await shard.unitsOf(part);
      const isNear = facts.parts <= scoring.parts || ordinal <= 1 || (part - best >= -1 && part - best <= 2);
      if (isNear || (last === part - 1 && own[0]?.goes_on)) {
        last = part;
        const text = await shard.text(part);
        const rows = vectors?.ofUnits.subarray(vectors.firstUnits[part], vectors.firstUnits[part + 1]);
        const near = vectors && embedded ? cosines(embedded.vector, vectors, rows) : [];
        for (const [at, unit] of own.entries()) {
          block += Number(unit.begins);
          if (!aboutAssistants && unit.injection) continue;
          const place = { facts, place: facts.places[unit.place], part, ordinal, position: read + at, block };
          units.push({ ...unit, ...place, text: text.slice(unit.start, unit.end), cosine: near[at] ?? 0 });
        }
      }
      read += own.length;
    }
    return units;
  }

  /** @param {RankedSection} section */
  async function scored(section) {
    const units = await unitsNear(section);
    const named = new Set(units.filter(({ first, tab }) => first && names(tab)).map(({ first }) => first));
    const { path, page } = section.shard.sections[section.section];
    const title = heldTerms(library, path.at(-1) ?? page, subject); // Holds for all of the section.
    return units.filter(({ first, tab }) => (named.has(first) ? names(tab) : tab === first)).map((unit) => {
      const words = heldTerms(library, unit.text, subject);
      const told = [...idf].filter(([term]) => title.has(term) || words.has(term)); // In one order, so that equals tie.
      const share = whole ? sum(told.map(([, weight]) => weight)) / whole : 0;
      const isOther = unit.case && heldTerms(library, unit.text.split(';', 1)[0], subject).size === 0;
      const gained = (quantity && unit[quantity] ? scoring.quantity_bonus : 0) + (whether && unit.whether ? scoring.whether_bonus : 0);
      const noted = (unit.admonition ? scoring.note_penalty : 0) + (isOther ? scoring.other_case_penalty : 0);
      const score = unit.cosine + scoring.coverage_weight * share + gained - (scoring.penalties[unit.role] + noted);
      const [, passage] = unit.tabs.find(([tab]) => names(tab)) ?? [unit.tab, unit.passage];
      return { ...unit, score, share, passage };
    });
  }

  /** Sections are read again for their references. @type {Map<string, ReturnType<typeof scored>>} */
  const known = new Map();
  return (/** @type {RankedSection} */ section) => {
    const key = `${section.shard.firstPart}/${section.section}/${section.part}`;
    const units = known.get(key) ?? scored(section);
    known.set(key, units);
    return units;
  };
}
