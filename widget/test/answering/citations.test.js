import assert from 'node:assert/strict';
import { test } from 'node:test';

import { citePlace } from '../../src/answering/replies.js';

const PLACE = {
  id: 'm/lamp#oil', url: '/docs/lamp', anchor: 'oil', fragment: 'oil', page: 'Lamp', title: 'Guides: Lamp', path: ['Lamp', 'Oil'], section: 'Oil',
  sourceType: 'guide', landing: [], cited: {}, other: false, addressed: false,
};

test('a citation has the fields that the sidecar sends', () => {
  assert.deepEqual(citePlace(PLACE, 1, 'Fill the lamp.', 7), {
    n: 1, used: true, stable_id: 'm/lamp#oil', title: 'Guides: Lamp', heading_path: ['Lamp', 'Oil'], section: 'Oil', page: 'Lamp',
    url: '/docs/lamp#oil', anchor: 'oil', chunk_id: 7, source_type: 'guide', excerpt: 'Fill the lamp.', verified: true,
  });
});

test('a citation has the fragment that the build encoded', () => {
  assert.equal(citePlace({ ...PLACE, anchor: 'öl', fragment: '%C3%B6l' }, 1, '', 7).url, '/docs/lamp#%C3%B6l');
});

test('a citation has every further field that the build wrote', () => {
  const cited = /** @type {any} */ ({ owner: 'Team of Lamp' });
  assert.equal(/** @type {any} */ (citePlace({ ...PLACE, cited }, null, '', 7)).owner, 'Team of Lamp');
});
