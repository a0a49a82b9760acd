import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from '../build.js';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const LOADER_BUDGET = 4000;
const CHAT_BUDGET = 25_000;

const read = (/** @type {string} */ file) => readFile(join(DIST, file), 'utf8');
const gzipped = async (/** @type {string} */ file) => gzipSync(await readFile(join(DIST, file)), { level: 9 }).length;

test('dist is what a fresh build makes', async () => {
  const fresh = await mkdtemp(join(tmpdir(), 'pincite-dist-'));
  try {
    const files = await build(fresh);
    const committed = (await readdir(DIST, { recursive: true })).filter((file) => file.endsWith('.js')).sort();
    assert.deepEqual(committed, files);
    for (const file of files) assert.equal(await read(file), await readFile(join(fresh, file), 'utf8'), `${file}: run npm run build`);
  } finally {
    await rm(fresh, { recursive: true });
  }
});

test('the loader with its launcher is at most 4 kB gzipped', async () => {
  assert.ok(await gzipped('pincite.js') <= LOADER_BUDGET, `${await gzipped('pincite.js')} bytes`);
});

test('the chat with English is at most 25 kB gzipped', async () => {
  assert.ok(await gzipped('pincite-chat.js') <= CHAT_BUDGET, `${await gzipped('pincite-chat.js')} bytes`);
});

test('nothing built evaluates text or turns text into markup', async () => {
  for (const file of ['pincite.js', 'pincite-chat.js']) {
    assert.doesNotMatch(await read(file), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/u);
  }
});

test('nothing built names another host', async () => {
  for (const file of ['pincite.js', 'pincite-chat.js']) {
    const hosts = [...(await read(file)).matchAll(/https?:\/\/([\w.-]+\.\w+)/gu)].map(([, host]) => host);
    assert.deepEqual(hosts.filter((host) => host !== 'www.w3.org'), []); // The SVG namespace.
  }
});
