import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fragmentOf, isInSite, pageOf, safeUrl, sameOriginUrl } from '../src/core/links.js';

const PAGE = 'https://docs.example.com/kit/guide/';

test('relative and http addresses become absolute links', () => {
  assert.equal(safeUrl('/kit/api/#x', PAGE), 'https://docs.example.com/kit/api/#x');
  assert.equal(safeUrl('https://other.example/', PAGE), 'https://other.example/');
});

for (const address of ['javascript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', 'JAVASCRIPT:alert(1)',
  'data:text/html,<script>1</script>', 'vbscript:x', 'blob:https://docs.example.com/1', 'file:///etc/passwd', 'https://', '']) {
  test(`${JSON.stringify(address)} never becomes a link`, () => {
    assert.equal(safeUrl(address, PAGE), null);
  });
}

test('an answer links only within its own origin', () => {
  assert.equal(sameOriginUrl('/kit/api/#x', PAGE), 'https://docs.example.com/kit/api/#x');
  for (const address of ['https://evil.example/', '//evil.example/kit/', 'http://docs.example.com/', '/\\evil.example/', 'javascript:1']) {
    assert.equal(sameOriginUrl(address, PAGE), null);
  }
});

test('the site ends at its base path and its origin', () => {
  const site = { pageUrl: PAGE, baseUrl: '/kit/' };
  assert.equal(isInSite('https://docs.example.com/kit/api/', site), true);
  assert.equal(isInSite('https://docs.example.com/other/', site), false);
  assert.equal(isInSite('https://evil.example/kit/api/', site), false);
});

test('an encoded fragment is decoded, and a malformed one is returned as it is', () => {
  assert.equal(fragmentOf(`${PAGE}#caf%C3%A9`), 'café');
  assert.equal(fragmentOf(`${PAGE}#100%`), '100%');
  assert.equal(pageOf(`${PAGE}?a=1#b`), `${PAGE}?a=1`);
});

test("a page's own URL has neither its fragment nor the slash that hosts add or drop", () => {
  for (const url of ['/docs/jobs', '/docs/jobs/', '/docs/jobs#fields', '/docs/jobs/#fields', '/docs/jobs/#a/b/']) {
    assert.equal(pageOf(`https://docs.example.com${url}`), 'https://docs.example.com/docs/jobs');
  }
  assert.equal(pageOf('https://docs.example.com/'), 'https://docs.example.com');
});
