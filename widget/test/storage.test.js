import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSafeStorage } from '../src/core/storage.js';
import { fakeStorage } from './support/storage.js';

test('a stored value is read back, and the storage counts as persistent', () => {
  const storage = createSafeStorage(() => fakeStorage());
  storage.set('a', '1');
  assert.equal(storage.get('a'), '1');
  assert.equal(storage.persistent(), true);
  storage.remove('a');
  assert.equal(storage.get('a'), null);
});

test('a blocked storage works until the page is left, and is not persistent', () => {
  const storage = createSafeStorage(() => { throw new DOMException('blocked', 'SecurityError'); });
  storage.set('a', '1');
  assert.equal(storage.get('a'), '1');
  assert.equal(storage.persistent(), false);
});

test('a full storage keeps the newest value in memory', () => {
  const full = fakeStorage();
  full.setItem('a', 'old');
  full.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
  const storage = createSafeStorage(() => full);
  storage.set('a', 'new');
  assert.equal(storage.get('a'), 'new');
  assert.equal(storage.persistent(), false);
});
