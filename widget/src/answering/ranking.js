import { bm25, gatherCandidates } from './candidates.js';
import { fused, priors, trusting } from './fusion.js';
import { countsOf } from './library.js';
import { correctSpelling, parseQuery, splitCompounds } from './query.js';
import { logistic, rules, sum } from './rules.js';
import { heldAsWords, heldTerms } from './terms.js';
/** @import {Calibration, Candidates, Embedded, Library, Query, RankedSection, SearchResult, Signals, TermCounts} from './types.js' */
/** @import {Section} from '../search/shard.js' */

/** Hybrid search over opened scopes (`pincite_core.search.ranking`, `evidence`). */

/**
 * The `k` best sections for a question, and the probability that the docs hold the answer.
 * @param {Library} library
 * @param {string} text
 * @param {Embedded | null} embedded  Of `parseQuery(...).text`; null ranks by words alone.
 * @param {number} k
 * @returns {Promise<SearchResult>}
 */
export async function search(library, text, embedded, k) {
  const { sections: most } = rules.search;
  const query = await splitCompounds(library, parseQuery(library, text));
  const foundBy = await correctSpelling(library, query);
  const [asked, counts] = await Promise.all([countsOf(library, query.terms), countsOf(library, foundBy.terms)]);
  const candidates = await gatherCandidates(library, embedded, foundBy, counts);
  const vectors = embedded ? library.profile.vectors : 0;
  const idf = idfOf(library, asked);
  const calibration = embedded ? library.profile.calibration : library.profile.words_calibration;
  const result = { query, idf, hasVectors: embedded !== null };
  if (candidates.parts.length === 0) {
    const evidence = evidenceProbability({}, calibration);
    return { ...result, idf: new Map(), sections: [], signals: {}, zScore: 0, evidence };
  }
  const share = Math.max(bestShare(library, counts, idfOf(library, counts)), 1 - vectors);
  const { scores, leader } = ordered(library, candidates, foundBy, vectors, share);
  const sections = grouped(candidates, scores, Math.max(k, most), leader);
  const held = await heldInBest(library, sections.slice(0, most), query);
  const signals = signalsOf(library, candidates, query, idf, held, bm25(library, asked, 'body'));
  const zScore = candidates.scores.dense ? zScoreOfBest(candidates.scores.dense) : 0;
  return { ...result, sections: sections.slice(0, k), signals, zScore, evidence: evidenceProbability(signals, calibration) };
}

/** @param {Signals} signals @param {Calibration} calibration */
export function evidenceProbability(signals, { bias, ...weights }) {
  return logistic(Object.entries(weights).reduce((total, [name, weight]) => total + weight * (signals[name] ?? 0), bias));
}

/** The inverse document frequency of each term. @param {Library} library @param {TermCounts[]} counts */
const idfOf = ({ profile }, counts) => new Map(counts.map(({ term, anywhere }) => [term, inverseFrequency(profile.parts, anywhere)]));

/** @param {number} counted @param {number} parts */
const inverseFrequency = (counted, parts) => Math.log(1 + counted / (parts + 0.5));

/**
 * The largest share of some terms, by weight, that the text of one part holds.
 * @param {Library} library
 * @param {TermCounts[]} counts
 * @param {Map<string, number>} weights
 */
function bestShare(library, counts, weights) {
  const held = new Float64Array(library.parts);
  let total = 0;
  for (const { term, columns } of counts) {
    const weight = weights.get(term) ?? 0;
    total += weight;
    for (const part of columns.body.parts) held[part] += weight;
  }
  return held.reduce((best, weight) => Math.max(best, weight), 0) / (total || 1);
}

/**
 * Each candidate's fused score, 0 to 1, and which comes first: its score is raised to the best one's.
 * @param {Library} library
 * @param {Candidates} candidates
 * @param {Query} foundBy
 * @param {number} vectors  The dense weight, 0 to 1.
 * @param {number} share  Of the terms in the best part.
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

/** @param {Float64Array} dense */
function zScoreOfBest(dense) {
  const mean = sum(dense) / dense.length;
  const deviation = Math.sqrt(dense.reduce((total, cosine) => total + (cosine - mean) ** 2, 0) / dense.length);
  return deviation > rules.fusion.same_cosine ? (Math.max(...dense) - mean) / deviation : 0;
}

/**
 * Each section's best part, the leader first; ties go to the earlier one.
 * @param {Candidates} candidates
 * @param {Float64Array} scores
 * @param {number} most
 * @param {number} leader
 */
function grouped({ parts, scores: rankers, nearest }, scores, most, leader) {
  const others = [...scores.keys()].filter((at) => at !== leader).sort((a, b) => scores[b] - scores[a] || a - b);
  /** @type {Map<Section, RankedSection>} */
  const sections = new Map();
  for (const at of [leader, ...others]) {
    const { shard, part } = parts[at];
    const section = shard.sections[shard.sectionOfPart[part]];
    if (sections.has(section)) continue;
    const cosine = rankers.dense?.[at] ?? 0;
    sections.set(section, {
      shard, part, section: shard.sectionOfPart[part], score: scores[at], cosine,
      unit: nearest[at] < 0 ? null : nearest[at],
      landsOnUnit: nearest[at] >= 0 && rankers.sentence[at] >= cosine,
    });
    if (sections.size === most) break;
  }
  return [...sections.values()];
}

/**
 * The question's terms that the best sections or their headings contain.
 * @param {Library} library
 * @param {RankedSection[]} sections
 * @param {Query} query
 */
async function heldInBest(library, sections, { terms }) {
  const texts = await Promise.all(sections.map(async ({ shard, part, section }) => {
    const { page, path } = shard.sections[section];
    return [await shard.text(part), page, ...path];
  }));
  return new Set(texts.flat().flatMap((text) => [...heldAsWords(heldTerms(library, text, terms), terms, text, library.language)]));
}

/**
 * @param {Library} library
 * @param {Candidates} candidates
 * @param {Query} query
 * @param {Map<string, number>} idf
 * @param {Set<string>} held
 * @param {Float64Array} body  BM25 of all parts, by the words as they were asked.
 * @returns {Signals}
 */
function signalsOf({ profile }, { scores }, { names }, idf, held, body) {
  const dense = scores.dense ? [...scores.dense].sort((a, b) => b - a) : [0];
  const [best, total] = [dense.slice(0, rules.search.top), sum(idf.values())];
  const covered = sum([...idf].filter(([term]) => held.has(term)).map(([, weight]) => weight));
  const unknown = names.filter((name) => !held.has(name)).map((name) => idf.get(name) ?? 0);
  const words = Math.max(0, ...body.filter((score) => !Number.isNaN(score)));
  return {
    best_chunk: dense[0],
    best_sentence: Math.max(0, ...(scores.sentence ?? []).filter((cosine) => !Number.isNaN(cosine))),
    top5_mean: sum(best) / best.length,
    coverage: total ? covered / total : 0,
    bm25: total ? Math.min(1, words / (rules.bm25.saturation * total)) : 0,
    unknown_name: Math.max(0, ...unknown) / inverseFrequency(profile.parts, 0),
  };
}
