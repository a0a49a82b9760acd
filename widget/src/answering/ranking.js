import { remembered } from '../search/files.js';
import { sum } from '../search/numbers.js';
import { bm25, gatherCandidates } from './candidates.js';
import { countsOf } from './library.js';
import { correctSpelling, heldAsWords, heldTerms, parseQuery, splitCompounds, termsOf } from './query.js';
import { probability, rules } from './rules.js';
/** @import {Candidates, Embedded, Library, Part, Query, RankedSection, Scores, Section, Signals, TermCounts} from './types.js' */

/** Hybrid search over opened scopes (`pincite_core.search.ranking`, `fusion`, `priors`, `evidence`). */

/**
 * The `k` best sections for a question, and the probability that the docs hold the answer; without `embedded`, by words alone.
 * @param {Library} library @param {string} text @param {Embedded | null} embedded @param {number} k
 */
export async function search(library, text, embedded, k) {
  const { sections: most } = rules.search;
  const query = await splitCompounds(library, parseQuery(library, text));
  const foundBy = await correctSpelling(library, query);
  const [asked, counts] = await Promise.all([countsOf(library, query.terms), countsOf(library, foundBy.terms)]);
  const candidates = await gatherCandidates(library, embedded, foundBy, counts);
  const vectors = embedded ? library.profile.vectors : 0;
  const calibration = embedded ? library.profile.calibration : library.profile.words_calibration;
  const hasVectors = embedded !== null;
  if (candidates.parts.length === 0) {
    return { query, hasVectors, idf: new Map(), sections: [], zScore: 0, evidence: probability({}, calibration) };
  }
  const idf = idfOf(library, asked);
  const share = Math.max(bestShare(library, counts, idfOf(library, counts)), 1 - vectors);
  const { scores, leader } = ordered(library, candidates, foundBy, vectors, share);
  const sections = grouped(candidates, scores, Math.max(k, most), leader);
  const held = await heldInBest(library, sections.slice(0, most), query);
  const signals = signalsOf(library, candidates, query, idf, held, bm25(library, asked, 'body'));
  const zScore = candidates.scores.dense ? zScoreOfBest(candidates.scores.dense) : 0;
  return { query, hasVectors, idf, sections: sections.slice(0, k), zScore, evidence: probability(signals, calibration) };
}

/** The inverse document frequency of each term. @param {Library} library @param {TermCounts[]} counts */
const idfOf = ({ profile }, counts) => new Map(counts.map(({ term, anywhere }) => [term, inverseFrequency(profile.parts, anywhere)]));

/** @param {number} counted @param {number} parts */
const inverseFrequency = (counted, parts) => Math.log(1 + counted / (parts + 0.5));

/**
 * The largest share of some terms, by weight, that the text of one part holds.
 * @param {Library} library @param {TermCounts[]} counts @param {Map<string, number>} weights
 */
function bestShare(library, counts, weights) {
  const held = new Float64Array(library.parts);
  for (const { term, columns } of counts) {
    for (const part of columns.body.parts) held[part] += weights.get(term) ?? 0;
  }
  return held.reduce((best, weight) => Math.max(best, weight), 0) / (sum(weights.values()) || 1);
}

/**
 * Each candidate's fused score, 0 to 1, and which comes first: its score is raised to the best one's. `vectors` is the dense weight.
 * @param {Library} library @param {Candidates} candidates @param {Query} foundBy @param {number} vectors @param {number} share
 */
function ordered(library, candidates, foundBy, vectors, share) {
  const { named_bonus: bonus, first_place: firstPlace, other_places: otherPlaces } = rules.fusion;
  const factors = priors(library, candidates.parts, foundBy);
  const fusedBy = (/** @type {Record<string, number>} */ weights) => fused(candidates.scores, trusting(weights, vectors, share), vectors)
    .map((score, at) => Math.min(1, score * factors[at] + (candidates.named[at] ? bonus : 0)));
  const [first, scores] = [fusedBy(firstPlace), fusedBy(otherPlaces)];
  const leader = first.indexOf(Math.max(...first));
  scores[leader] = Math.max(...scores);
  return { scores, leader };
}

/**
 * The weights if vectors count less than 1 and words hold only a share of the question.
 * @param {Record<string, number>} weights @param {number} vectors @param {number} share
 */
export function trusting(weights, vectors, share) {
  const { cosines, lexical, text_alone: alone } = rules.fusion;
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => {
    const trusted = cosines.includes(name) ? weight * vectors : weight + (name === 'body' ? alone * (1 - vectors) : 0);
    return [name, lexical.includes(name) ? share * trusted : trusted];
  }));
}

/**
 * The weighted mean of the rankers' normalised scores, each 0 to 1.
 * @param {Scores} rankers @param {Record<string, number>} weights @param {number} vectors
 */
export function fused(rankers, weights, vectors) {
  const { cosines, texts } = rules.fusion;
  const taken = Object.entries(weights).filter(([name]) => name in rankers);
  const total = sum(taken.map(([, weight]) => weight)) || 1;
  const found = /** @type {string[]} */ (texts).filter((name) => name in rankers);
  const peaks = new Map(found.map((name) => [name, peak(rankers[name])]));
  const whole = Math.max(...peaks.values());
  const sums = new Float64Array(rankers.body.length);
  for (const [name, weight] of taken) {
    const least = vectors === 1 || !texts.includes(name) ? 0 : vectors * (peaks.get(name) ?? 0) + (1 - vectors) * whole;
    const scores = cosines.includes(name) ? spread(rankers[name]) : shares(rankers[name], least);
    scores.forEach((score, at) => { sums[at] += weight * score; });
  }
  return sums.map((score) => score / total);
}

/** The highest of scores that are not negative; 0 if all are NaN. @param {ArrayLike<number>} scores */
const peak = (scores) => Array.from(scores).reduce((most, score) => (score > most ? score : most), 0);

/** Between 0, the worst and missing scores, and 1, the best. @param {Float64Array} scores */
function spread(scores) {
  const found = scores.filter((score) => !Number.isNaN(score));
  const [low, high] = [Math.min(...found), Math.max(...found)];
  const isSame = !(high - low > rules.fusion.same_cosine);
  return scores.map((score) => (Number.isNaN(score) ? 0 : isSame ? 1 : (score - low) / (high - low)));
}

/** Shares of the best score, or of `least` if that is more. @param {Float64Array} scores @param {number} least */
function shares(scores, least) {
  const most = Math.max(peak(scores), least);
  return scores.map((score) => (most > 0 && !Number.isNaN(score) ? score / most : 0));
}

/** The factor of each part's score, for what its section is. @param {Library} library @param {Part[]} parts @param {Query} query */
function priors(library, parts, query) {
  const { priors: worth } = rules;
  const telling = tellingTerms(library);
  const words = telling(query.text);
  const pastIs = worth.asks_the_past.test(query.text) ? 1 : worth.past;
  const changesAre = worth.asks_of_changes.test(query.text) ? 1 : worth.changes;
  const reference = query.codes.length > 0 ? 1 : worth.reference;
  return parts.map(({ shard: { sections, sectionOfPart, traits: { past, changes, further, brief } }, part }) => {
    const number = sectionOfPart[part];
    const { kind, member, path, page } = sections[number];
    const ofKind = { blog: worth.blog, api: reference }[kind] ?? (past.includes(number) ? pastIs : 1);
    const place = Math.min(changes.includes(number) ? changesAre : ofKind, member ? reference : 1);
    const said = telling(path.at(-1) ?? page);
    const isAsked = said.size >= worth.fewest_words && [...said].every((term) => words.has(term));
    const ofTitle = further.includes(number) ? worth.further : 1 + (isAsked ? worth.heading * said.size / words.size : 0);
    return place * ofTitle * (brief.includes(part) ? worth.brief : 1);
  });
}

/** The terms of each text without stop words, in any order, case and spelling with hyphens. */
const tellingTerms = remembered((/** @type {Library} */ library) => remembered((/** @type {string} */ text) => (
  new Set(termsOf(library, text.replaceAll('_', ' ')).filter((term) => !library.lexicon.isSmall(term))))), new WeakMap());

/** @param {Float64Array} dense */
function zScoreOfBest(dense) {
  const mean = sum(dense) / dense.length;
  const deviation = Math.sqrt(dense.reduce((total, cosine) => total + (cosine - mean) ** 2, 0) / dense.length);
  return deviation > rules.fusion.same_cosine ? (Math.max(...dense) - mean) / deviation : 0;
}

/**
 * Each section's best part, the leader first; ties go to the earlier one.
 * @param {Candidates} candidates @param {Float64Array} scores @param {number} most @param {number} leader
 */
function grouped({ parts, scores: rankers, nearest }, scores, most, leader) {
  const others = [...scores.keys()].filter((at) => at !== leader).sort((a, b) => scores[b] - scores[a] || a - b);
  /** @type {Map<Section, RankedSection>} */
  const sections = new Map();
  for (const at of [leader, ...others]) {
    const { shard, part } = parts[at];
    const number = shard.sectionOfPart[part];
    if (sections.has(shard.sections[number])) continue;
    const cosine = rankers.dense?.[at] ?? 0;
    const unit = nearest[at] < 0 ? null : nearest[at];
    const landsOnUnit = unit !== null && rankers.sentence[at] >= cosine;
    sections.set(shard.sections[number], { shard, part, section: number, score: scores[at], cosine, unit, landsOnUnit });
    if (sections.size === most) break;
  }
  return [...sections.values()];
}

/**
 * The question's terms that the best sections or their headings contain.
 * @param {Library} library @param {RankedSection[]} sections @param {Query} query
 */
async function heldInBest(library, sections, { terms }) {
  const texts = await Promise.all(sections.map(async ({ shard, part, section }) => {
    const { page, path } = shard.sections[section];
    return [await shard.text(part), page, ...path];
  }));
  return new Set(texts.flat().flatMap((text) => [...heldAsWords(heldTerms(library, text, terms), terms, text, library.language)]));
}

/**
 * Signals of evidence; `body` is the BM25 of all parts, by the words as they were asked.
 * @type {(library: Library, found: Candidates, query: Query, idf: Map<string, number>, held: Set<string>, body: Float64Array) => Signals}
 */
function signalsOf({ profile }, { scores }, { names }, idf, held, body) {
  const dense = scores.dense ? [...scores.dense].sort((a, b) => b - a) : [0];
  const [best, total] = [dense.slice(0, rules.search.top), sum(idf.values())];
  const covered = sum([...idf].filter(([term]) => held.has(term)).map(([, weight]) => weight));
  const unknown = names.filter((name) => !held.has(name)).map((name) => idf.get(name) ?? 0);
  return {
    best_chunk: dense[0],
    best_sentence: peak(scores.sentence ?? []),
    top5_mean: sum(best) / best.length,
    coverage: total ? covered / total : 0,
    bm25: total ? Math.min(1, peak(body) / (rules.bm25.saturation * total)) : 0,
    unknown_name: Math.max(0, ...unknown) / inverseFrequency(profile.parts, 0),
  };
}
