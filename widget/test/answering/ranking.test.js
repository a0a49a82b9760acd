/** What ranks and judges in the browser, each by itself; the whole is held to Python by `tests/integration/test_browser_ranking.py`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { best } from '../../src/answering/candidates.js';
import { openLibrary } from '../../src/answering/library.js';
import { fused, trusting } from '../../src/answering/ranking.js';
import { probability, setRules } from '../../src/answering/rules.js';
import { cosines, projected, tokenSimilarity } from '../../src/answering/vectors.js';

setRules({
  fusion: {
    cosines: ['dense', 'sentence'], lexical: ['body', 'page'], texts: ['body', 'page'], text_alone: 0.45, same_cosine: 1e-6,
  },
  tokens: { bytes: 16, levels: [-0.4528, -1.51, 0.4528, 1.51] },
});

const NONE = { best_chunk: 0, best_sentence: 0, top5_mean: 0, coverage: 0, bm25: 0, unknown_name: 0 };

/** @param {number[][]} rows @returns {any} */
const vectorsOf = (rows) => ({
  dimension: rows[0].length, rows: Int8Array.from(rows.flat()), lengths: Float64Array.from(rows, (row) => Math.hypot(...row)),
});

test('a cosine does not depend on how long a stored vector is', () => {
  const found = cosines(Float32Array.of(0.6, 0.8), vectorsOf([[3, 4], [60, 80], [4, 3]]));
  assert.deepEqual([...found].map((cosine) => Math.round(cosine * 1e6) / 1e6), [1, 1, 0.96]);
});

test('a row that is not there has no cosine', () => {
  assert.deepEqual([...cosines(Float32Array.of(1, 0), vectorsOf([[127, 0]]), [-1, 0])], [0, 1]);
});

test('the earlier of two that are equally good comes first, and what was not found never', () => {
  assert.deepEqual(best([NaN, 2, 3, 2, NaN, 1], 3), [2, 1, 3]);
});

test('a ranker that took no part does not count', () => {
  const scores = { body: Float64Array.of(4, 2, NaN), dense: Float64Array.of(0.1, 0.5, 0.3) };
  const found = fused(scores, { dense: 1, sentence: 5, body: 1 }, 1);
  assert.deepEqual([...found].map((score) => Math.round(score * 1e6) / 1e6), [0.5, 0.75, 0.25]);
});

test('where vectors are worth nothing the text of a section gains what they lose', () => {
  const weights = { dense: 0.4, body: 0.15, page: 0.1 };
  assert.deepEqual(trusting(weights, 0, 0.5), { dense: 0, body: 0.3, page: 0.05 });
});

test('evidence is a logistic of the signals', () => {
  const calibration = { ...NONE, coverage: 2, bias: -1 };
  assert.equal(probability({ ...NONE, coverage: 0.5 }, calibration), 0.5);
  assert.ok(probability(NONE, { ...NONE, bias: -100 }) < 1e-40);
});

test('tokens are compared by what their two bits stand for', () => {
  const query = new Float32Array(64).fill(1 / 8);
  const packed = new Uint8Array(32).fill(0b11111111, 0, 16); // All large and positive, then all small and negative.
  const found = [0, 1, 2].map((row) => tokenSimilarity([query], { packed, firsts: Int32Array.of(0, 1, 2, 2) }, row));
  assert.deepEqual(found.map((cosine) => Math.round(cosine * 1e6) / 1e6), [1, -1, NaN]);
});

test('states of another length than the signs are no tokens', () => {
  const signs = { dimension: 64, hidden: 2, signs: btoa('\xff'.repeat(16)) };
  const states = Float32Array.of(3, -1, 0);
  assert.equal(projected({ vector: states, states, hidden: 3 }, signs), null);
  assert.equal(projected({ vector: states, states: new Float32Array(0), hidden: 2 }, signs), null);
  const [token] = projected({ vector: states, states: states.slice(0, 2), hidden: 2 }, signs) ?? [];
  assert.ok([...token].every((component) => Math.abs(component - 1 / 8) < 1e-6));
});

test('a site that was built without answers says what to do', async () => {
  const manifest = { format: 3, default_locale: 'en', scopes: [], small_words: {} };
  const opening = openLibrary({ load: async () => manifest, loadBytes: async () => new ArrayBuffer(0), place: {} });
  await assert.rejects(opening, /--browser-answers/u);
});
