import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from '../build.js';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const LOADER_BUDGET = 4000;
const CHAT_BUDGET = 25_000;
const PART_BUDGET = 4000;
const SEARCH_BUDGET = 12_000;
const WORKER_BUDGET = 50_000;
const RUNTIME_BUDGET = 4_000_000;

/** Parts that the chat loads on demand. */
const PARTS = ['pincite-answer-copy.js', 'pincite-code-colours.js', 'pincite-consent.js', 'pincite-deep-link.js', 'pincite-details.js', 'pincite-history-view.js',
  'pincite-frame.js', 'pincite-landing.js', 'pincite-page-copy.js', 'pincite-status.js', 'pincite-vote.js'];
const ENCODER = ['pincite-encoder.js', 'encoder/worker.js'];
const SCRIPTS = [...ENCODER, 'pincite.js', 'pincite-selection.js', 'pincite-check-settings.js', 'pincite-chat.js', 'pincite-search.js', 'pincite-answering.js', 'pincite-browser-embedding.js', ...PARTS];

/** The SVG namespace, and a link in the runtime's warning about threads. */
const NO_ADDRESSES = ['www.w3.org', 'web.dev'];

const read = (/** @type {string} */ file) => readFile(join(DIST, file), 'utf8');
const gzipped = async (/** @type {string} */ file) => gzipSync(await readFile(join(DIST, file)), { level: 9 }).length;

test('dist is what a fresh build makes', async () => {
  const fresh = await mkdtemp(join(tmpdir(), 'pincite-dist-'));
  try {
    const files = await build(fresh);
    const committed = (await readdir(DIST, { recursive: true })).filter((file) => /\.js(?:on)?$/u.test(file)).sort();
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

for (const part of PARTS) {
  test(`${part} is a file of its own, of at most 4 kB gzipped`, async () => {
    assert.match(await read('pincite-chat.js'), new RegExp(`import\\("\\./${part}"\\)`, 'u'));
    assert.ok(await gzipped(part) <= PART_BUDGET, `${await gzipped(part)} bytes`);
  });
}

test('embedding in the browser is a file of its own, of at most 5 kB gzipped, and answering there another of 26', async () => {
  assert.match(await read('pincite-chat.js'), /import\("\.\/pincite-browser-embedding\.js"\)/u);
  assert.ok(await gzipped('pincite-browser-embedding.js') <= 5_000, `${await gzipped('pincite-browser-embedding.js')} bytes`);
  assert.match(await read('pincite-browser-embedding.js'), /import\("\.\/pincite-answering\.js"\)/u);
  assert.ok(await gzipped('pincite-answering.js') <= 26_000, `${await gzipped('pincite-answering.js')} bytes`);
});

test('the search is a file of its own, of at most 12 kB gzipped', async () => {
  assert.match(await read('pincite-chat.js'), /import\("\.\/pincite-search\.js"\)/u);
  assert.ok(await gzipped('pincite-search.js') <= SEARCH_BUDGET, `${await gzipped('pincite-search.js')} bytes`);
});

test('the encoder of a page is at most 4 kB gzipped, its worker 50 kB and its runtime 4 MB', async () => {
  assert.ok(await gzipped('pincite-encoder.js') <= PART_BUDGET);
  assert.ok(await gzipped('encoder/worker.js') <= WORKER_BUDGET);
  assert.ok((await stat(join(DIST, 'encoder/runtime.bin'))).size <= RUNTIME_BUDGET);
});

test('no built file evaluates text or turns text into markup', async () => {
  for (const file of SCRIPTS) {
    assert.doesNotMatch(await read(file), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/u);
  }
});

test('no built file names another host', async () => {
  for (const file of SCRIPTS) {
    const hosts = [...(await read(file)).matchAll(/https?:\/\/([\w.-]+\.\w+)/gu)].map(([, host]) => host);
    assert.deepEqual(hosts.filter((host) => !NO_ADDRESSES.includes(host)), []);
  }
});
