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

test('a router that loads the page finds the stored landing', async () => {
  let remembered = false;
  await go(() => {
    remembered = hasLanding(); // The page may be unloaded now.
    return true;
  });
  assert.ok(remembered);
});

test('no landing stays in storage after the router has arrived', async () => {
  await go(() => true);
  assert.deepEqual(landed.map(({ anchor, words }) => [anchor, words]), [['place', ['a']]]);
  assert.equal(hasLanding(), false);
});
