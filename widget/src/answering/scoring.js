import { foundIn, removedFrom } from './phrases.js';
import { remembered, rules, sum } from './rules.js';
import { heldTerms, termsOf } from './terms.js';
import { sectionFacts, unitsOf } from './units.js';
import { cosines } from './vectors.js';
/** @import {AnswerContext, RankedSection, ScoredUnit, SectionFacts, Unit} from './types.js' */

/**
 * Scores the units of sections for one question (`answering/corpus/unit_scoring.py`).
 * @param {AnswerContext} context
 * @returns {(section: RankedSection) => Promise<ScoredUnit[]>} In order; of tabs, those of the first or of the one asked about.
 */
export function createScorer({ library, embedded, result: { query, idf }, phrases, aboutAssistants }) {
  const { scoring } = rules;
  const asked = heldTerms(library, removedFrom(phrases.asking, query.text), idf.keys());
  const subject = asked.size > 0 ? asked : new Set(idf.keys());
  const quantity = rules.units.quantities.find((/** @type {'count'} */ kind) => foundIn(phrases[kind], query.text));
  const whether = foundIn(phrases.whether, query.text);
  const whole = sum(idf.values());
  const names = (/** @type {string} */ label) => !!label && termsOf(library, label).some((term) => idf.has(term));

  /** @param {RankedSection} section @returns {Promise<ScoredUnit[]>} */
  async function read({ shard, section, part: best }) {
    const facts = await sectionFacts(library, shard, section);
    const vectors = embedded && await shard.vectors();
    /** @type {{unit: Unit, number: number, part: number, text: string, block: number, cosine: number}[]} */
    const shown = [];
    let [block, number, last] = [0, 0, -1];
    for (let ordinal = 0; ordinal < facts.parts; ordinal += 1) {
      const part = facts.firstPart + ordinal;
      const units = await unitsOf(library, shard, part);
      const isNear = facts.parts <= scoring.parts || ordinal <= 1 || (part - best >= -1 && part - best <= 2);
      if (isNear || (last === part - 1 && units[0]?.goesOn)) {
        last = part;
        const text = await shard.text(part);
        const rows = vectors?.ofUnits.subarray(vectors.firstUnits[part], vectors.firstUnits[part + 1]);
        const near = vectors && embedded ? cosines(embedded.vector, vectors, rows) : [];
        for (const [at, unit] of units.entries()) {
          block += Number(unit.begins);
          if (!aboutAssistants && unit.injection) continue;
          shown.push({ unit, number: number + at, part, text: text.slice(unit.start, unit.end), block, cosine: near[at] ?? 0 });
        }
      }
      number += units.length;
    }
    const named = new Set(shown.map(({ unit: { more } }) => more).filter(({ tab = '', first }) => first && names(tab)).map(({ first }) => first));
    const title = heldTerms(library, facts.places[0].path.at(-1) ?? '', subject); // Holds for all of the section.
    return shown.filter(({ unit: { more: { tab = '', first = '' } } }) => (named.has(first) ? names(tab) : tab === first)).map((seen) => {
      const { unit, text } = seen;
      const words = heldTerms(library, text, subject);
      const told = [...idf].filter(([term]) => title.has(term) || words.has(term)); // In one order, so that equals tie.
      const share = whole ? sum(told.map(([, weight]) => weight)) / whole : 0;
      const isOther = unit.case && heldTerms(library, text.split(';', 1)[0], subject).size === 0;
      const hasQuantity = quantity && unit[/** @type {'count'} */ (quantity)];
      const gained = (hasQuantity ? scoring.quantity_bonus : 0) + (whether && unit.whether ? scoring.whether_bonus : 0);
      const noted = (unit.admonition ? scoring.note_penalty : 0) + (isOther ? scoring.other_case_penalty : 0);
      const score = seen.cosine + scoring.coverage_weight * share + gained - (scoring.penalties[unit.role] + noted);
      return scored(facts, seen, score, share);
    });
  }

  /**
   * @param {SectionFacts} facts
   * @param {{unit: Unit, number: number, part: number, text: string, block: number}} seen
   * @param {number} score
   * @param {number} share
   */
  function scored(facts, { unit, number, part, text, block }, score, share) {
    const { mark = '', labels = [], tab = '', cells = [], links = [], tabs = [] } = unit.more;
    const [, passage] = tabs.find(([name]) => names(name)) ?? [tab, unit.passage];
    return {
      ...unit, facts, place: facts.places[unit.place], part, ordinal: part - facts.firstPart, text, cells, score, share,
      number, passage, links,
      layout: { block, mark, labels, note: unit.admonition, tab },
    };
  }

  const readOnce = remembered((/** @type {string} */ key) => read(/** @type {RankedSection} */ (sections.get(key))));
  /** @type {Map<string, RankedSection>} */
  const sections = new Map();
  return (section) => {
    const key = `${section.shard.firstPart}/${section.section}/${section.part}`;
    sections.set(key, section);
    return readOnce(key);
  };
}
