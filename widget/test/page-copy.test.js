import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownPath } from '../src/chat/page-copy.js';

const PLACES = {
  '/docs/leases': '/docs/leases.md',
  '/docs/leases/': '/docs/leases.md',
  '/docs/leases/index.html': '/docs/leases.md',
  '/docs/leases.html': '/docs/leases.md',
  '/': '/index.md',
  '/index.html': '/index.md',
};

for (const [page, file] of Object.entries(PLACES)) {
  test(`the Markdown of ${page} is ${file}`, () => {
    assert.equal(markdownPath(page, '/'), file);
  });
}

test('the home page below a base path has its own too', () => {
  assert.equal(markdownPath('/kit/', '/kit/'), '/kit/index.md');
  assert.equal(markdownPath('/kit/docs/', '/kit/'), '/kit/docs.md');
});
