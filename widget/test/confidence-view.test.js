import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confidenceLevel } from '../src/chat/confidence-view.js';

test('confidence is low below 0.4, medium below 0.7, high from there', () => {
  assert.deepEqual([0, 0.399, 0.4, 0.699, 0.7, 1].map(confidenceLevel), ['low', 'low', 'medium', 'medium', 'high', 'high']);
});
