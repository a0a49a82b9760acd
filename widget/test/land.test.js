import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { travel } from '../src/landing/land.js';
import { hasLanding } from '../src/core/pending-landing.js';
import { installDom } from './support/dom.js';

const window = installDom();
Object.defineProperty(globalThis, 'sessionStorage', { value: window.sessionStorage, configurable: true });

/** @type {import('../src/types.js').Landing[]} */
let landed = [];

beforeEach(() => {
  sessionStorage.clear();
  landed = [];
});

/** @param {import('../src/types.js').ChatHost['navigate']} navigate */
const go = (navigate) => travel({ url: new URL('/docs/b#place', location.href).href, words: ['a'], baseUrl: '/', navigate,
  arrive: async (landing) => { landed.push(landing); } });

test('a router that has to load the page after all finds the landing there', async () => {
  let remembered = false;
  await go(() => {
    remembered = hasLanding(); // From here on the page may be unloaded at any time.
    return true;
  });
  assert.ok(remembered);
});

test('nothing of a landing is left where the router has arrived', async () => {
  await go(() => true);
  assert.deepEqual(landed.map(({ anchor, words }) => [anchor, words]), [['place', ['a']]]);
  assert.equal(hasLanding(), false);
});
