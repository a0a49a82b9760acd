import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directionOf } from '../src/dom.js';

test('the share of right-to-left letters decides the direction, not the first letter', () => {
  for (const text of ['اجاره‌ها', 'payload چیست؟', 'Docker › راه‌اندازی سرور', 'API کار را برمی‌گرداند', 'שלום']) {
    assert.equal(directionOf(text), 'rtl', text);
  }
});

test('the direction of any other text is that of its first letter', () => {
  for (const text of ['', '42', 'Leases', 'The sign for a sheep is ش in that table', '租约']) assert.equal(directionOf(text), 'auto', text);
});
