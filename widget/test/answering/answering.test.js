/** What the files beside answers say: where stable ids live, and which page an address means. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolved } from '../../src/answering/answering.js';
import { pathOf } from '../../src/answering/replies.js';

/** @param {string} id @param {string} url @param {string | null} [version] @param {string} [locale] */
const place = (id, url, version = null, locale = 'en') => ({ id, url, title: url.slice(1), version, locale });

const FILE = {
  ids: [place('a', '/a'), place('b', '/1.0/b', '1.0'), place('b', '/b', '2.0'), place('b', '/fr/b', '2.0', 'fr')],
  aliases: [{ from: 'old', to: 'older' }, { from: 'older', to: 'b' }, { from: 'x', to: 'y' }, { from: 'y', to: 'x' }],
};

test('an id that is there is where it is, one that moved is followed, and any other is lost', () => {
  assert.deepEqual(resolved(['a', 'old', 'gone', 'x'], { version: '2.0', locale: 'en' }, FILE), {
    a: { status: 'current', url: '/a', title: 'a' },
    old: { status: 'moved', url: '/b', title: 'b' },
    gone: { status: 'lost' },
    x: { status: 'lost' }, // A circle has no end.
  });
});

test('of several places with one id that of the page\'s version and language is taken, the language first', () => {
  const at = (/** @type {import('../../src/types.js').Scope} */ scope) => resolved(['b'], scope, FILE).b.url;
  assert.equal(at({ version: '1.0', locale: 'en' }), '/1.0/b');
  assert.equal(at({ version: '2.0', locale: 'fr' }), '/fr/b');
  assert.equal(at({ version: '1.0', locale: 'fr' }), '/fr/b');
});

test('a page is the same however a host spells its address', () => {
  for (const url of ['/docs/jobs', '/docs/jobs/', '/docs/jobs.html', '/docs/jobs/index.html', 'https://docs.example/docs/jobs?x#y', '/docs/%6Aobs']) {
    assert.equal(pathOf(url), '/docs/jobs', url);
  }
  assert.equal(pathOf('https://docs.example'), '/');
  assert.equal(pathOf('/%'), '/%');
});
