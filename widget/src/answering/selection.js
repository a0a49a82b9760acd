import { range } from '../search/numbers.js';
import { foundIn, removedFrom } from './phrases.js';
import { contentTerms, termsOf } from './query.js';
import { search } from './ranking.js';
import { escapeProse } from './render.js';
import { answerReply, citePlace, excerptOf, missingTopics, nearestCitations, pathOf, readableSections, refusalReply } from './replies.js';
import { every, probability, regexp, rules } from './rules.js';
/** @import {Embedded, Encode, Phrases, Place, QuestionContext} from './types.js' */

/** Answers from the highlighted text alone (`answering/passage`). They are judged by fewer signals than the sidecar has. */

/** @typedef {Place & {chunk: number}} Located */

/** Why a selection cannot be used; null if it can. @param {import('../types.js').Selection | undefined} selection */
export function selectionProblem(selection) {
  const text = selection?.text.trim() ?? '';
  if (!text) return 'selection_missing';
  if (text.length < rules.selection.min_length) return 'selection_too_short';
  return Date.now() - Date.parse(selection?.captured_at ?? '') > 1000 * rules.selection.max_age ? 'selection_stale' : null;
}

/** @param {QuestionContext} given @param {Embedded | null} embedded @param {Encode} [encode] */
export async function selectionAnswer(given, embedded, encode) {
  const whole = given.request.selection?.text ?? '';
  const passage = whole.slice(0, rules.selection.max_length);
  const place = await locatePassage(given, passage);
  const notices = [...whole.length > passage.length ? ['selection_truncated'] : [], ...place ? [] : ['selection_unproved']];
  const told = notices.map((code) => ({ code, message: given.say(code) }));
  const head = { ...given.head, mode: /** @type {const} */ ('selection'), notices: [...given.head.notices, ...told] };
  const context = { ...given, head };
  const units = splitPassage(passage);
  const texts = units.map(({ text }) => text);
  const about = new Set((place?.path ?? []).flatMap((heading) => termsOf(given.library, heading)));
  const { kept, score } = await chosen(context, texts, about, embedded, encode);
  if (kept.length === 0) return refuse(context, passage, score, embedded);
  const pieces = kept.map((at, number) => {
    const gap = number === 0 ? '' : units[at].isCode ? '\n\n' : ' ';
    return units[at].isCode ? `${gap}${texts[at]}\n[1]` : `${gap}${escapeProse(texts[at])} [1]`;
  });
  return answerReply(context, {
    text: pieces.join(''), citations: [citation(place, passage)], evidence: score, documents: 1, likelihood: 0,
    claims: kept.map((at, number) => ({ text: texts[at], support: 'quoted', citations: [1], quote: texts[at], markers: [number] })),
  });
}

/**
 * The units that answer, in reading order; none if the passage does not answer. `score` is 0 to 1. Names of the question that are `about`
 * the headings above are not foreign.
 * @param {QuestionContext} context @param {string[]} texts @param {Set<string>} about
 * @param {Embedded | null} embedded @param {Encode} [encode]
 */
async function chosen({ library, query, phrases }, texts, about, embedded, encode) {
  const { selection } = rules;
  if (texts.length === 0) return { kept: [], score: 0 };
  if ((phrases.passage ?? []).some((form) => regexp(`^${form}`).test(query))) { // It is about all of the passage.
    return { kept: range(0, Math.min(texts.length, selection.max_sentences)), score: 1 };
  }
  const wanted = new Set(contentTerms(library, removedFrom(phrases.words, query)));
  const held = texts.map((text) => new Set(termsOf(library, text)));
  const all = new Set(held.flatMap((terms) => [...terms]));
  const shares = held.map((terms) => (wanted.size > 0 ? [...wanted].filter((term) => terms.has(term)).length / wanted.size : 0));
  const near = embedded && encode ? await cosinesOf(texts, shares, embedded, encode) : shares.map((share) => (
    1 - selection.most_words_distance + share * (selection.most_words_distance - selection.least_words_distance)));
  const offers = kindOffered(phrases, query);
  const { cosine_share: cosineShare, word_share: wordShare, kind_bonus: bonus } = selection;
  const fitness = texts.map((text, at) => cosineShare * near[at] + wordShare * shares[at] + bonus * Number(offers(text)));
  const best = fitness.indexOf(Math.max(...fitness));
  const names = [...query.matchAll(every(selection.name))].flatMap(([name]) => termsOf(library, name)).filter((term) => !about.has(term));
  const numbersIn = (/** @type {string} */ text) => /** @type {string[]} */ (text.match(every(selection.number)) ?? []);
  const said = new Set(texts.flatMap(numbersIn));
  const doubts = {
    distance: 1 - Math.max(...near), uncovered: wanted.size > 0 ? 1 - Math.max(...shares) : 0,
    stranger: Number(wanted.size > 0 && ![...wanted].some((term) => all.has(term))),
    foreign_name: Number(names.some((term) => !all.has(term))),
    foreign_quantity: Number(numbersIn(query).some((number) => !said.has(number))),
    other_kind: Number(!offers(texts[best])), negated: Number(isNegated(phrases, query) && !isNegated(phrases, texts[best])),
  };
  const score = 1 - probability(doubts, { ...selection.weights, bias: -selection.confidence });
  if (score < selection.answered_from) return { kept: [], score };
  const ranked = [...fitness.keys()].sort((a, b) => fitness[b] - fitness[a]).slice(0, selection.max_sentences);
  return { kept: ranked.filter((at) => fitness[at] >= fitness[best] * selection.adds_floor).sort((a, b) => a - b), score };
}

/** @param {Phrases} phrases @param {string} text */
const isNegated = (phrases, text) => foundIn(phrases.not, text) || foundIn(phrases.nor, text);

/**
 * The cosines of the texts that share most words with the question; 0 for the others.
 * @param {string[]} texts @param {number[]} shares @param {Embedded} embedded @param {Encode} encode
 */
async function cosinesOf(texts, shares, { vector }, encode) {
  const rows = [...texts.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, rules.selection.most_encoded);
  const near = texts.map(() => 0);
  const vectors = await encode(rows.map((row) => texts[row]));
  rows.forEach((row, at) => { near[row] = vectors[at].reduce((total, value, place) => total + value * vector[place], 0); });
  return near;
}

/** Whether a text has something of the kind that is asked for. @param {Phrases} phrases @param {string} query */
export function kindOffered(phrases, query) {
  if (foundIn(phrases.amount, query)) return (/** @type {string} */ text) => /\p{Nd}/u.test(text) || foundIn(phrases.amounts, text);
  if (foundIn(phrases.date, query)) return (/** @type {string} */ text) => !phrases.dates || foundIn(phrases.dates, text);
  if (!foundIn(phrases.person, query) || !phrases.people?.has) return () => true;
  const people = regexp(phrases.people.has, 'u');
  return (/** @type {string} */ text) => rules.selection.name.test(text) || people.test(text);
}

/** Code blocks, and the sentences of every other line. @param {string} passage */
function splitPassage(passage) {
  /** @type {{text: string, isCode: boolean}[]} */
  const units = [];
  const addSentences = (/** @type {string} */ lines) => {
    const sentences = lines.split('\n').flatMap((line) => [...line.matchAll(every(rules.selection.sentence))]);
    units.push(...sentences.map(([sentence]) => ({ text: sentence.trim(), isCode: false })).filter(({ text }) => text));
  };
  let cursor = 0;
  for (const { 0: text, index } of passage.matchAll(every(rules.selection.fence))) {
    addSentences(passage.slice(cursor, index));
    units.push({ text, isCode: true });
    cursor = index + text.length;
  }
  addSentences(passage.slice(cursor));
  return units;
}

/** A citation of the section or page that shows the passage, or an unproved one. @param {Located | null} place @param {string} passage */
function citation(place, passage) {
  const excerpt = excerptOf(passage);
  if (place) return citePlace(place, 1, excerpt, place.chunk);
  const unproved = { stable_id: '', title: '', heading_path: [], section: '', page: '', url: null, anchor: null, chunk_id: null };
  return { n: 1, used: true, ...unproved, source_type: 'selected_text', excerpt, verified: false };
}

/**
 * The question's words that the passage lacks, and related sections of the site.
 * @param {QuestionContext} context @param {string} passage @param {number} evidence @param {Embedded | null} embedded
 */
async function refuse(context, passage, evidence, embedded) {
  const { library, say, query } = context;
  const result = await search(library, query, embedded, rules.question.sections);
  const terms = new Set(termsOf(library, passage));
  const learning = missingTopics(library, result, terms);
  const general = say(result.query.terms.some((term) => terms.has(term)) ? 'reason_not_said' : 'reason_unrelated');
  const nearest = await nearestCitations(context, (await readableSections(context, result.sections)).slice(0, rules.question.nearest));
  return refusalReply(context, 'not_in_selection', say('not_in_selection'), {
    nearest, evidence, suggestions: ['whole_site', 'rephrase'], learning,
    reasons: learning.length > 0 ? learning.map((word) => say('reason_not_in_selection', { term: `*${word}*` })) : [general],
  });
}

/**
 * The place of a passage on its page, by the letters of its sections; null if they do not show it.
 * @type {(context: QuestionContext, passage: string) => Promise<Located | null>}
 */
async function locatePassage({ library, request }, passage) {
  const { piece_break: breaks, min_piece: least, min_letters: fewest, telling } = rules.provenance;
  const path = pathOf(request.selection?.page_url ?? '');
  const pieces = passage.split(breaks).map(lettersOf).filter((piece) => piece.length >= least);
  if (lettersOf(passage).length < fewest || pieces.length === 0) return null;
  for (const shard of library.shards) {
    const numbers = [...shard.sections.keys()].filter((number) => pathOf(shard.sections[number].url) === path);
    const texts = await Promise.all(numbers.map(async (number) => (
      lettersOf((await Promise.all(shard.partsOf(number).map(shard.text))).join('')))));
    const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one));
    const holding = [pieces[0].slice(0, telling), longest.slice(0, telling), pieces[pieces.length - 1].slice(-telling)]
      .map((piece) => texts.findIndex((text) => text.includes(piece)));
    if (holding[1] < 0) continue;
    const { places, chunk } = await shard.factsOf(numbers[Math.max(0, holding[0])]);
    const isOne = holding.every((at) => at === holding[0]);
    const [place] = isOne ? places : (await shard.factsOf(numbers[0])).places;
    return { ...place, chunk };
  }
  return null;
}

/** @param {string} text */
const lettersOf = (text) => text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
