import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directionOf } from '../src/dom.js';

test('a text is written from right to left by most of its letters, not by the first', () => {
  for (const text of ['اجاره‌ها', 'payload چیست؟', 'Docker › راه‌اندازی سرور', 'API کار را برمی‌گرداند', 'שלום']) {
    assert.equal(directionOf(text), 'rtl', text);
  }
});

test('any other text is left to its first letter', () => {
  for (const text of ['', '42', 'Leases', 'The sign for a sheep is ش in that table', '租约']) assert.equal(directionOf(text), 'auto', text);
});
