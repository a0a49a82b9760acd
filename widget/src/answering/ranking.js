import { bm25 } from './bm25.js';
import { gatherCandidates } from './candidates.js';
import { evidenceProbability } from './evidence.js';
import { fused, trusting } from './fusion.js';
import { heldTerms } from './held.js';
import { priors } from './priors.js';
import { parseQuery } from './query.js';
import { parted, respelled } from './rewording.js';
import { bestShare, countsOf, inverseFrequency, rarityOf } from './term-counts.js';

/**
 * Hybrid search over opened scopes, as the sidecar's (`pincite_core.search.ranking`).
 *
 * @typedef {import('./types.js').Library} Library
 * @typedef {import('./types.js').Query} Query
 * @typedef {import('./types.js').TermCounts} TermCounts
 * @typedef {import('./types.js').RankedSection} RankedSection
 * @typedef {import('./candidates.js').Candidates} Candidates
 */

const OF_BEST = 5;

/**
 * The `k` sections that fit a question best, and the probability that the docs hold the answer.
 * @param {Library} library
 * @param {string} text
 * @param {import('./types.js').Embedded | null} embedded  Of `parseQuery(...).text`; null: words stand alone.
 * @param {number} k
 * @returns {Promise<import('./types.js').SearchResult>}
 */
export async function search(library, text, embedded, k) {
  const { tables } = library.facts;
  const query = await parted(library, parseQuery(library, text));
  const foundBy = await respelled(library, query);
  const [asked, counts] = await Promise.all([countsOf(library, query.terms), countsOf(library, foundBy.terms)]);
  const candidates = await gatherCandidates(library, embedded, foundBy, counts);
  const vectors = embedded ? library.spoken.vectors : 0;
  const rarity = rarityOf(library, asked);
  if (candidates.parts.length === 0) return resultOf(library, embedded, query, [], {}, new Map(), 0);
  const share = Math.max(bestShare(library, counts, rarityOf(library, counts)), 1 - vectors);
  const { scores, leader } = ordered(library, candidates, foundBy, vectors, share);
  const sections = grouped(candidates, scores, Math.max(k, tables.most.sections), leader);
  const held = await heldTerms(library, sections.slice(0, tables.most.sections), asked);
  const signals = signalsOf(library, candidates, query, rarity, held, bm25(library, asked, 'body'));
  const standing = standingOut(candidates.scores.dense, tables.same_cosine);
  return resultOf(library, embedded, query, sections.slice(0, k), signals, rarity, standing);
}

/**
 * @param {Library} library
 * @param {import('./types.js').Embedded | null} embedded
 * @param {Query} query
 * @param {RankedSection[]} sections
 * @param {import('./types.js').Signals} signals
 * @param {Map<string, number>} rarity
 * @param {number} standing
 * @returns {import('./types.js').SearchResult}
 */
function resultOf({ spoken }, embedded, query, sections, signals, rarity, standing) {
  const calibration = embedded ? spoken.calibration : spoken.words_calibration;
  return { query, sections, signals, rarity, standingOut: standing, evidence: evidenceProbability(signals, calibration) };
}

/**
 * Each candidate's fused score, 0 to 1, and which comes first: its score is the best one's.
 * @param {Library} library
 * @param {Candidates} candidates
 * @param {Query} foundBy
 * @param {number} vectors  What vectors are worth, 0 to 1.
 * @param {number} share  What words are worth, 0 to 1.
 */
function ordered(library, candidates, foundBy, vectors, share) {
  const { tables } = library.facts;
  const worth = priors(library, candidates.parts, foundBy);
  /** @param {Record<string, number>} weights */
  const fusedBy = (weights) => fused(candidates.scores, trusting(weights, tables.text_alone, vectors, share), vectors, tables.same_cosine)
    .map((score, at) => Math.min(1, score * worth[at] + (candidates.named[at] ? tables.named_bonus : 0)));
  const [first, scores] = [fusedBy(tables.first_place), fusedBy(tables.other_places)];
  const leader = first.indexOf(Math.max(...first));
  scores[leader] = Math.max(...scores);
  return { scores, leader };
}

/**
 * How many standard deviations the nearest candidate is above the mean.
 * @param {Float64Array | undefined} dense
 * @param {number} same
 */
function standingOut(dense, same) {
  if (!dense) return 0;
  const mean = dense.reduce((sum, cosine) => sum + cosine, 0) / dense.length;
  const deviation = Math.sqrt(dense.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / dense.length);
  return deviation > same ? (Math.max(...dense) - mean) / deviation : 0;
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
  const order = [leader, ...others];
  /** @type {Map<import('../search/shard.js').Section, RankedSection>} */
  const sections = new Map();
  for (const at of order) {
    const { shard, part } = parts[at];
    const section = shard.sections[shard.sectionOfPart[part]];
    if (sections.has(section)) continue;
    const cosine = rankers.dense?.[at] ?? 0;
    sections.set(section, {
      shard, part, section: shard.sectionOfPart[part],
      unit: nearest[at] < 0 ? null : nearest[at],
      landsOnUnit: nearest[at] >= 0 && rankers.sentence[at] >= cosine,
      score: scores[at], cosine,
    });
    if (sections.size === most) break;
  }
  return [...sections.values()];
}

/**
 * @param {Library} library
 * @param {Candidates} candidates
 * @param {Query} query
 * @param {Map<string, number>} rarity
 * @param {Set<string>} held
 * @param {Float64Array} body  Of all parts, by the words as they were asked.
 * @returns {import('./types.js').Signals}
 */
function signalsOf({ facts, spoken }, { scores }, { names }, rarity, held, body) {
  const dense = scores.dense ? [...scores.dense].sort((a, b) => b - a) : [0];
  const [best, total] = [dense.slice(0, OF_BEST), sum(rarity.values())];
  const covered = sum([...rarity].filter(([term]) => held.has(term)).map(([, weight]) => weight));
  const unknown = names.filter((name) => !held.has(name)).map((name) => rarity.get(name) ?? 0);
  return {
    best_chunk: dense[0],
    best_sentence: Math.max(0, ...(scores.sentence ?? []).filter((cosine) => !Number.isNaN(cosine))),
    top5_mean: sum(best) / best.length,
    coverage: total ? covered / total : 0,
    bm25: total ? Math.min(1, Math.max(0, ...body.filter((score) => !Number.isNaN(score))) / (facts.tables.bm25.saturation * total)) : 0,
    unknown_name: Math.max(0, ...unknown) / inverseFrequency(spoken.parts, 0),
  };
}

/** @param {Iterable<number>} numbers */
function sum(numbers) {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
