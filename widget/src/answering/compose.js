import { sum } from '../search/numbers.js';
import { pointsElsewhere, quoted } from './passage-selection.js';
import { foundIn, removedFrom } from './phrases.js';
import { heldTerms, termsOf } from './query.js';
import { fewOfAPage } from './replies.js';
import { rules } from './rules.js';
import { followReference } from './units.js';
import { cosines } from './vectors.js';
/** @import {AnswerContext, Passage, RankedSection, ScoredUnit} from './types.js' */

/** At most five passages, verbatim, the best section's first (`answering/corpus/compose.py`). @param {AnswerContext} context */
export async function composePassages(context) {
  const { embedded, query, phrases } = context;
  const { budgets, passages: most } = rules.composing;
  const shows = foundIn(phrases.how, query);
  const isAsked = rules.follow_ups.question_marks.includes(query.trimEnd().at(-1) ?? ' ');
  const task = !isAsked && !foundIn(phrases.fact, query.replace(/^[^\p{L}\p{N}_]+/u, ''));
  const scorer = createScorer(context);

  /**
   * The passage of a section; of one that only points to another, the other's.
   * @type {(section: RankedSection, number: number, follow?: boolean) => Promise<Passage | null>}
   */
  async function passageOf(section, number, follow = true) {
    const units = await scorer(section);
    const chosen = quoted(units, budgets[Math.min(number, budgets.length - 1)], shows, task);
    if (pointsElsewhere(units, chosen)) {
      const further = follow ? await followReference(embedded, section, units) : null;
      return further && passageOf(further, number, false);
    }
    return { section, facts: await section.shard.factsOf(section.section), statements: byTerm(chosen.map((at) => units[at])) };
  }

  /** Passages with a section that one refers to right after it, if that is nearer; at most one is added. @param {Passage[]} passages */
  async function withReferences(passages) {
    const best = passages.length > 0 ? Math.max(...passages.map(({ section }) => section.cosine)) : 1;
    for (const [at, { section }] of passages.entries()) {
      const further = await followReference(embedded, section, await scorer(section));
      if (!further || further.cosine <= (passages.length < most ? section.cosine : best)) continue;
      const added = await passageOf(further, at + 1, false);
      if (added && !isThin(added) && !isSaid(added, passages)) {
        return [...passages.slice(0, at + 1), added, ...passages.slice(at + 1)].slice(0, most);
      }
    }
    return passages;
  }

  /** @type {[passages: Passage[], thin: Passage[]]} */
  const [passages, thin] = [[], []];
  for (const section of await sectionsToQuote(context)) {
    const passage = await passageOf(section, passages.length);
    if (passage && !isSaid(passage, passages)) (isThin(passage) ? thin : passages).push(passage);
    if (passages.length === most) break;
  }
  const chosen = await withReferences(passages);
  return fewPlaces((chosen.length > 0 ? chosen : thin.slice(0, 1)).map(ofItsSection));
}

/** The sections near enough to the best one, at most four of a page, lists of where to read on last. @param {AnswerContext} context */
async function sectionsToQuote({ result: { sections } }) {
  const { section_floor: floor, of_a_page: ofPage, sections: most } = rules.composing;
  const near = sections.filter(fewOfAPage(ofPage)).filter(({ score }) => score >= sections[0].score * floor).slice(0, most);
  const read = await Promise.all(near.map(({ shard, section }) => shard.factsOf(section)));
  return [...near.filter((_, at) => !read[at].reading), ...near.filter((_, at) => read[at].reading)];
}

/** Whether others say most of a passage word for word, as versions and summaries do. @param {Passage} passage @param {Passage[]} others */
function isSaid({ statements }, others) {
  const said = new Set(others.flatMap((other) => other.statements.map(({ text }) => text)));
  const fresh = statements.filter(({ text }) => !said.has(text)).length;
  return fresh * 2 < statements.length || fresh === 0;
}

/** Whether a passage is only a few words, such as a version, or the goals that a page sets itself. @param {Passage} passage */
function isThin({ statements }) {
  const words = sum(statements.map(({ text }) => text.match(/\S+/gu)?.length ?? 0));
  return words < rules.composing.fewest_words || statements.every(({ admonition, kind }) => admonition && kind === 'item');
}

/** A passage that cites its section, not anchors inside it, if others do; its best unit cites its own anchor. @param {Passage} passage */
function ofItsSection(passage) {
  const { facts, statements } = passage;
  const whole = statements.some(({ place }) => place.id === facts.places[0].id);
  const nearest = statements.reduce((one, other) => (other.score > one.score ? other : one)).place;
  return citing(passage, ({ place }) => !place.other || !whole || place.id === nearest.id);
}

/** Passages that cite five places together at most; from the fourth on, those that there is a place for. @param {Passage[]} passages */
function fewPlaces(passages) {
  const { places, sure } = rules.composing;
  /** @type {Set<string>} */
  const cited = new Set();
  return passages.flatMap((passage, number) => {
    const left = places - cited.size - Math.max(0, Math.min(passages.length, sure) - number - 1);
    if (left <= 0) return [];
    const placed = ofPlaces(passage, cited, left);
    placed.statements.forEach(({ place }) => cited.add(place.id));
    return [placed];
  });
}

/**
 * A passage that cites at most so many further places: its nearest, and else its section.
 * @param {Passage} passage @param {Set<string>} cited @param {number} left
 */
function ofPlaces(passage, cited, left) {
  const near = [...passage.statements].sort((a, b) => b.score - a.score);
  const places = [...new Set(near.map(({ place }) => place.id))].filter((id) => !cited.has(id));
  if (places.length <= left) return passage;
  const section = passage.facts.places[0].id;
  const others = places.filter((id) => id !== section).slice(0, left - Number(!cited.has(section)));
  const kept = new Set([...cited, section, ...others]);
  return citing(passage, ({ place }) => kept.has(place.id));
}

/** A passage whose statements cite its section, apart from some. @param {Passage} passage @param {(one: ScoredUnit) => boolean} stays */
const citing = (passage, stays) => ({
  ...passage, statements: passage.statements.map((one) => (stays(one) ? one : { ...one, place: one.facts.places[0] })),
});

/** Statements so that a term's definition and its other names cite the anchor of its last name. @param {ScoredUnit[]} statements */
function byTerm(statements) {
  /** @type {ScoredUnit | undefined} */
  let term;
  return statements.map((one, at) => {
    if (one.kind === 'term') {
      const end = statements.findIndex(({ kind }, other) => other > at && kind !== 'term');
      term = statements[(end < 0 ? statements.length : end) - 1];
    }
    return term && term.place.id !== term.facts.places[0].id && one.kind !== 'row' ? { ...one, place: term.place } : one;
  });
}

/** Scores units of sections (`answering/corpus/unit_scoring.py`); of tabs, those of the one asked about. @param {AnswerContext} context */
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
