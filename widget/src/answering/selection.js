import { citePlace, excerptOf, nearestCitations, readableSections } from './citations.js';
import { escapeProse } from './escaping.js';
import { foundIn, regexp, removedFrom } from './phrases.js';
import { search } from './ranking.js';
import { standingOf } from './provenance.js';
import { answerReply, missingTopics, refusalReply } from './replies.js';
import { contentTerms, termsOf } from './terms.js';

/**
 * Answers from the highlighted text alone: its own sentences, or a refusal (`answering/passage`). It judges by fewer signs than the
 * sidecar does.
 *
 * @typedef {import('./types.js').Situation} Situation
 * @typedef {{start: number, end: number, isCode: boolean}} Stretch
 */

const MIN_LENGTH = 50;
const MAX_LENGTH = 10_000;
const MAX_AGE = 10 * 60_000; // Five minutes, and as many for clocks that differ.
const MAX_SENTENCES = 3;
const ADDS_FLOOR = 0.75;
const MOST_ENCODED = 24;
const ANSWERED_FROM = 0.5;
const NEAREST = 3;
const SECTIONS = 8;

/** As the sidecar weighs them. */
const CONFIDENCE = 2.4;
const WEIGHTS = { distance: 3, uncovered: 0.5, stranger: 1.5, foreignName: 1, foreignNumber: 2, otherKind: 2, negated: 3 };
const COSINE_SHARE = 0.6;
const WORD_SHARE = 0.25;
const KIND_BONUS = 0.1;

/** What stands for the cosine where there is no encoder: a passage that has all of a question's words is as near as they usually are. */
const WORDS_DISTANCE = { least: 0.35, most: 0.85 };

const FENCE = /```[^\n]*\n[^]*?(?:\n```|$)/gu;
const SENTENCE = /[^.!?。！？।۔]*(?:[.!?]+(?!\s|$)[^.!?。！？।۔]*)*(?:[.!?。！？।۔]+["'”’»」』)\]]*|$)/gu;
const NAME = /(?<=\S\s+)(?:[\p{Lu}][\p{L}\p{N}_.'-]+|[\p{L}]+\p{N}[\p{L}\p{N}_]*)/gu;
const NUMBER = /(?<![\p{L}\p{N}_.])\p{Nd}+(?:[.,]\p{Nd}+)*/gu;

/**
 * Why a selection cannot be used; null when it can.
 * @param {import('../types.js').Selection | undefined} selection
 * @param {number} [now]
 */
export function selectionProblem(selection, now = Date.now()) {
  const text = selection?.text.trim() ?? '';
  if (!text) return 'selection_missing';
  if (text.length < MIN_LENGTH) return 'selection_too_short';
  const age = now - Date.parse(selection?.captured_at ?? '');
  return age > MAX_AGE ? 'selection_stale' : null;
}

/**
 * @param {Situation} given
 * @param {import('./types.js').Embedded | null} embedded
 * @param {import('./types.js').Encode} [encode]
 */
export async function selectionAnswer(given, embedded, encode) {
  const whole = given.request.selection?.text ?? '';
  const passage = whole.slice(0, MAX_LENGTH);
  const { say } = given;
  const told = whole.length > MAX_LENGTH ? [{ code: 'selection_truncated', message: say('selection_truncated') }] : [];
  const standing = await standingOf(given, passage);
  if (!standing) told.push({ code: 'selection_unproved', message: say('selection_unproved') });
  const situation = { ...given, head: { ...given.head, mode: /** @type {const} */ ('selection'), notices: [...given.head.notices, ...told] } };
  const units = stretchesOf(passage);
  const texts = units.map(({ start, end }) => passage.slice(start, end));
  const about = new Set((standing?.place.path ?? []).flatMap((heading) => termsOf(given.library, heading)));
  const { kept, score } = await chosen(situation, texts, about, embedded, encode);
  if (kept.length === 0) return refuse(situation, passage, score, embedded);
  const pieces = kept.map((at, number) => {
    const gap = number === 0 ? '' : units[at].isCode ? '\n\n' : ' ';
    return units[at].isCode ? `${gap}${texts[at]}\n[1]` : `${gap}${escapeProse(texts[at])} [1]`;
  });
  return answerReply(situation, {
    mode: 'selection', text: pieces.join(''), citations: [citation(standing, passage)], evidence: score, documents: 1, likelihood: null,
    claims: kept.map((at, number) => ({ text: texts[at], support: 'quoted', citations: [1], quote: texts[at], landing: [], markers: [number] })),
  });
}

/**
 * The stretches that answer, in reading order; none where the passage does not. `score` is 0 to 1.
 * @param {Situation} situation
 * @param {string[]} texts
 * @param {Set<string>} about  Terms of the headings above: names that the question takes from there are not foreign.
 * @param {import('./types.js').Embedded | null} embedded
 * @param {import('./types.js').Encode} [encode]
 */
async function chosen({ library, query, phrases }, texts, about, embedded, encode) {
  if (texts.length === 0) return { kept: [], score: 0 };
  if ((phrases.passage ?? []).some((form) => regexp(`^${form}`).test(query))) return { kept: texts.map((_, at) => at).slice(0, MAX_SENTENCES), score: 1 };
  const wanted = new Set(contentTerms(library, removedFrom(phrases.words, query)));
  const held = texts.map((text) => new Set(termsOf(library, text)));
  const all = new Set(held.flatMap((terms) => [...terms]));
  const shares = held.map((terms) => (wanted.size > 0 ? [...wanted].filter((term) => terms.has(term)).length / wanted.size : 0));
  const near = embedded && encode ? await cosinesOf(texts, shares, embedded, encode) : shares.map(asCosine);
  const offers = kindOffered(phrases, query);
  const fitness = texts.map((text, at) => COSINE_SHARE * near[at] + WORD_SHARE * shares[at] + KIND_BONUS * Number(offers(text)));
  const best = fitness.indexOf(Math.max(...fitness));
  const names = [...query.matchAll(NAME)].flatMap(([name]) => termsOf(library, name)).filter((term) => !about.has(term));
  const said = new Set(texts.flatMap((text) => text.match(NUMBER) ?? []));
  const doubts = {
    distance: 1 - Math.max(...near), uncovered: wanted.size > 0 ? 1 - Math.max(...shares) : 0,
    stranger: Number(wanted.size > 0 && ![...wanted].some((term) => all.has(term))),
    foreignName: Number(names.some((term) => !all.has(term))),
    foreignNumber: Number((query.match(NUMBER) ?? []).some((number) => !said.has(number))),
    otherKind: Number(!offers(texts[best])), negated: Number(isNegated(phrases, query) && !isNegated(phrases, texts[best])),
  };
  const doubt = Object.entries(doubts).reduce((sum, [name, value]) => sum + WEIGHTS[/** @type {keyof typeof WEIGHTS} */ (name)] * value, 0);
  const score = 1 / (1 + Math.exp(doubt - CONFIDENCE));
  if (score < ANSWERED_FROM) return { kept: [], score };
  const ranked = [...fitness.keys()].sort((a, b) => fitness[b] - fitness[a]).slice(0, MAX_SENTENCES);
  return { kept: ranked.filter((at) => fitness[at] >= fitness[best] * ADDS_FLOOR).sort((a, b) => a - b), score };
}

/** @param {import('./types.js').Phrases} phrases @param {string} text */
const isNegated = (phrases, text) => foundIn(phrases.not, text) || foundIn(phrases.nor, text);

/** @param {number} share  Of a question's words. */
const asCosine = (share) => 1 - (WORDS_DISTANCE.most - share * (WORDS_DISTANCE.most - WORDS_DISTANCE.least));

/**
 * Of those that share most words with the question; 0 for the others.
 * @param {string[]} texts
 * @param {number[]} shares
 * @param {import('./types.js').Embedded} embedded
 * @param {import('./types.js').Encode} encode
 */
async function cosinesOf(texts, shares, { vector }, encode) {
  const rows = [...texts.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, MOST_ENCODED);
  const near = texts.map(() => 0);
  const vectors = await encode(rows.map((row) => texts[row]));
  rows.forEach((row, at) => { near[row] = vectors[at].reduce((sum, value, place) => sum + value * vector[place], 0); });
  return near;
}

/** Whether a text has something of the kind that is asked for. @param {import('./types.js').Phrases} phrases @param {string} query */
export function kindOffered(phrases, query) {
  if (foundIn(phrases.amount, query)) return (/** @type {string} */ text) => /\p{Nd}/u.test(text) || foundIn(phrases.amounts, text);
  if (foundIn(phrases.date, query)) return (/** @type {string} */ text) => !phrases.dates || foundIn(phrases.dates, text);
  if (!foundIn(phrases.person, query) || !phrases.people?.has) return () => true;
  const people = regexp(phrases.people.has, 'u');
  return (/** @type {string} */ text) => text.search(NAME) >= 0 || people.test(text); // `test` would go on where it stopped.
}

/** Code blocks, and the sentences of every other line. @param {string} passage */
function stretchesOf(passage) {
  /** @type {Stretch[]} */
  const found = [];
  let cursor = 0;
  const lines = (/** @type {number} */ end) => {
    for (const line of passage.slice(cursor, end).matchAll(/[^\n]+/gu)) {
      for (const sentence of line[0].matchAll(SENTENCE)) {
        const text = sentence[0].trim();
        const start = cursor + line.index + sentence.index + sentence[0].indexOf(text);
        if (text) found.push({ start, end: start + text.length, isCode: false });
      }
    }
  };
  for (const fence of passage.matchAll(FENCE)) {
    lines(fence.index);
    cursor = fence.index + fence[0].length;
    found.push({ start: fence.index, end: cursor, isCode: true });
  }
  lines(passage.length);
  return found;
}

/**
 * The one citation: the section or page that shows the passage, or an unproved one.
 * @param {import('./types.js').Standing | null} standing
 * @param {string} passage
 */
function citation(standing, passage) {
  const excerpt = excerptOf(passage);
  if (standing) return citePlace(standing.place, 1, excerpt, standing.chunk);
  return {
    n: 1, used: true, stable_id: '', title: '', heading_path: [], section: '', page: '', url: null, anchor: null, chunk_id: null,
    source_type: 'selected_text', excerpt, verified: false,
  };
}

/**
 * The exact sentence, the question's words that the passage lacks, and related sections of the site.
 * @param {Situation} situation
 * @param {string} passage
 * @param {number} evidence
 * @param {import('./types.js').Embedded | null} embedded
 */
async function refuse(situation, passage, evidence, embedded) {
  const { library, say, query } = situation;
  const result = await search(library, query, embedded, SECTIONS);
  const terms = new Set(termsOf(library, passage));
  const lacking = missingTopics(library, result, terms);
  const general = say(result.query.terms.some((term) => terms.has(term)) ? 'reason_not_said' : 'reason_unrelated');
  const nearest = await nearestCitations(situation, (await readableSections(situation, result.sections)).slice(0, NEAREST));
  return refusalReply(situation, 'not_in_selection', say('not_in_selection'), {
    mode: 'selection', nearest, evidence, suggestions: ['whole_site', 'rephrase'], learning: lacking,
    reasons: lacking.length > 0 ? lacking.map((word) => say('reason_not_in_selection', { term: `*${word}*` })) : [general],
  });
}
