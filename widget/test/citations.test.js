import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyResolved, citedWords, groupSources, nameOf, trailOf } from '../src/core/citations.js';

const cite = (/** @type {object} */ fields) => ({ title: 'T', url: '/t', ...fields });

test('numbered sources come by type, those that only qualify after them', () => {
  const groups = groupSources([cite({ n: 1, source_type: 'guide' }), cite({ n: 2, source_type: 'api' }),
    cite({ n: 3, source_type: 'guide' }), cite({ n: null, source_type: 'guide' })]);
  assert.deepEqual(groups.map(({ type, citations }) => [type, citations.map(({ n }) => n)]),
    [['guide', [1, 3]], ['api', [2]], ['related', [null]]]);
});

test('a citation is called by its section, under its module, chapter and the headings above', () => {
  const citation = cite({ title: 'Reference: Configuration', page: 'Configuration', section: 'max_attempts',
    heading_path: ['Configuration', 'Queues', 'max_attempts'] });
  assert.equal(nameOf(citation), 'max_attempts');
  assert.deepEqual(trailOf(citation), ['Reference: Configuration', 'Queues']);
});

test('a citation of a whole page is called by its module and chapter, once', () => {
  const citation = cite({ title: 'Concepts: Retries', page: 'Retries', section: 'Retries', heading_path: ['Retries'] });
  assert.equal(nameOf(citation), 'Concepts: Retries');
  assert.deepEqual(trailOf(citation), []);
});

test('where several sites are asked a source stands first of all in its site', () => {
  const citation = { title: 'Guide', section: 'Leases', page: 'Guide', site: 'Harbor', heading_path: ['Harbor', 'Guide', 'Leases'], url: '/guide#leases' };
  assert.deepEqual(trailOf(citation), ['Harbor', 'Guide']);
});

test('after a redeploy a moved section has its new address and a lost one the nearest', () => {
  const before = [cite({ stable_id: 'a' }), cite({ stable_id: 'b' }), cite({ stable_id: 'c' }), cite({})];
  const after = applyResolved(before, {
    a: { status: 'moved', url: '/new' },
    b: { status: 'lost', nearest: { url: '/near', title: 'Near' } },
    c: { status: 'lost' },
  });
  assert.deepEqual(after.map(({ url, lost }) => [url, lost]), [['/new', false], ['/near', true], [undefined, true], ['/t', undefined]]);
});

test('a claim with the support "absent" adds no words to the passage of a citation', () => {
  /** @type {import('../src/types.js').Claim[]} */
  const claims = [{ text: 'Jobs are retried.', support: 'verified', citations: [1], quote: 'Jobs are retried', markers: [0] },
    { text: 'The docs do not say how often.', support: 'absent' }, { text: 'Nor when.', support: 'absent', citations: [], quote: '', markers: [] }];
  assert.deepEqual(citedWords(cite({ n: 1 }), claims), ['Jobs are retried']);
  assert.deepEqual(citedWords(cite({ n: 1 }), claims, 0), ['Jobs are retried']);
  assert.deepEqual(citedWords(cite({ n: null, excerpt: 'Why' }), claims), ['Why']);
});
