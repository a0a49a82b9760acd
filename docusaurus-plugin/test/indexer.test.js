import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { findIndexer, indexerCandidates, REQUIREMENT, VERSION } from '../src/indexer.js';
import { indexArguments, runIndexer } from '../src/indexing.js';

const STUB = fileURLToPath(new URL('stub-pincite.js', import.meta.url));
const CHOICES = { model: undefined, onLostId: /** @type {const} */ ('warn'), noindex: /** @type {const} */ ('exclude') };

/** @param {object} options @param {Record<string, string>} [environment] @param {NodeJS.Platform} [platform] */
function commands(options, environment = {}, platform = 'linux') {
  return indexerCandidates(options, environment, platform).map(({ command }) => command.join(' '));
}

/** A folder of programs, each with a shell script. @param {import('node:test').TestContext} t @param {Record<string, string>} scripts */
function programs(t, scripts) {
  const folder = mkdtempSync(join(tmpdir(), 'pincite-bin-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, body] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

/** With nothing but these folders on PATH. @param {import('node:test').TestContext} t @param {string[]} folders */
function usePath(t, ...folders) {
  const before = process.env.PATH;
  process.env.PATH = folders.join(delimiter);
  t.after(() => {
    process.env.PATH = before;
  });
}

/** @param {string[]} command @param {string[]} [progress] */
function run(command, progress = []) {
  const manifest = /** @type {any} */ ({ locale: 'en', build_id: 'b', pages: [] });
  const settings = { manifest, cwd: tmpdir(), onProgress: (/** @type {string} */ line) => progress.push(line) };
  return runIndexer(command, ['index', join(tmpdir(), 'pincite-nowhere')], settings);
}

test('without a choice, PATH comes first, then Python, then uv', () => {
  assert.deepEqual(commands({}), ['pincite', 'python3 -m pincite_indexer', `uvx --from ${REQUIREMENT} pincite`]);
});

test('on Windows, Python is found through its launcher', () => {
  assert.equal(commands({}, {}, 'win32')[1], 'py -3 -m pincite_indexer');
});

test('a configured indexer is the only one tried', () => {
  const environment = { PINCITE_COMMAND: 'env pincite' };
  assert.deepEqual(commands({ indexer: 'my pincite', python: 'py' }, environment), ['my pincite']);
  assert.deepEqual(commands({ python: 'py' }, environment), ['env pincite']);
  assert.deepEqual(commands({ python: '.venv/bin/python' }), ['.venv/bin/python -m pincite_indexer']);
});

test('a command line may quote a path with spaces', () => {
  const [{ command }] = indexerCandidates({ indexer: '"/opt/my tools/pincite" --quiet' }, {}, 'linux');
  assert.deepEqual(command, ['/opt/my tools/pincite', '--quiet']);
});

test('a Python without Pincite is skipped for the next candidate', async (t) => {
  usePath(t, programs(t, { python3: 'exit 1', uvx: 'exit 0' }));
  const { origin } = await findIndexer(indexerCandidates({}, {}, 'linux'), tmpdir());
  assert.equal(origin, 'uv');
});

test('if no indexer is found, the message names all candidates and what to do', async (t) => {
  usePath(t, programs(t, {}));
  await assert.rejects(findIndexer(indexerCandidates({}, {}, 'linux'), tmpdir()), (/** @type {Error} */ error) => {
    for (const part of ['pincite (PATH)', 'python3 -m pincite_indexer', 'uvx', 'pip install', 'PINCITE_COMMAND']) {
      assert.ok(error.message.includes(part), part);
    }
    return true;
  });
});

/** Return a script that prints a version like the indexer. @param {string} version */
const printing = (version) => `[ "$1" = --version ] && echo "pincite, version ${version}"`;

test('an indexer of another minor version is refused, with what to run', async (t) => {
  const next = VERSION.replace(/^(\d+)\.(\d+).*/, (_, major, minor) => `${major}.${Number(minor) + 1}`);
  const bin = programs(t, { pincite: printing(`${next}.3`) });
  /** @type {[{indexer?: string}, Record<string, string>][]} */
  const chosen = [[{}, { PINCITE_COMMAND: join(bin, 'pincite') }], [{ indexer: join(bin, 'pincite') }, {}], [{}, {}]];
  usePath(t, bin);
  for (const [options, environment] of chosen) {
    await assert.rejects(findIndexer(indexerCandidates(options, environment, 'linux'), tmpdir()), (/** @type {Error} */ error) => {
      const minor = VERSION.split('.', 2).join('.');
      assert.ok(error.message.startsWith(`docusaurus-plugin-pincite ${VERSION} needs pincite ${minor}, but `), error.message);
      assert.ok(error.message.includes(`is ${next}.3: run pip install 'pincite[index]~=${minor}.0'`), error.message);
      assert.ok(error.message.endsWith(`npm install docusaurus-plugin-pincite@${next}.`), error.message);
      return true;
    });
  }
});

test('an indexer of the same minor version is accepted, as is one without a version', async (t) => {
  for (const script of [printing(VERSION.replace(/\.\d+$/, '.99')), printing(`${VERSION}rc1`), 'exit 0', 'exit 1']) {
    const indexer = join(programs(t, { pincite: script }), 'pincite');
    const { command } = await findIndexer(indexerCandidates({ indexer }, {}, 'linux'), tmpdir());
    assert.deepEqual(command, [indexer]);
  }
});

test('only chosen options become arguments', () => {
  assert.deepEqual(indexArguments('/out/', CHOICES, undefined), ['index', '/out/', '--manifest', '-', '--json']);
  const chosen = { llms: true, model: 'some-model', onLostId: /** @type {const} */ ('fail'), noindex: /** @type {const} */ ('include') };
  assert.deepEqual(indexArguments('/out/', chosen, 'https://kit.example/pincite/').slice(5), [
    ...['--model', 'some-model', '--previous', 'https://kit.example/pincite/', '--on-lost-id', 'fail'],
    ...['--noindex', 'include', '--llms'],
  ]);
  assert.deepEqual(indexArguments('/out/', { ...CHOICES, embedder: 'browser' }, undefined).slice(5), ['--browser-encoder']);
  for (const answering of [{ api: /** @type {const} */ (false) }, { browserAnswers: true, search: false }]) {
    assert.deepEqual(indexArguments('/out/', { ...CHOICES, ...answering }, undefined).slice(5), ['--browser-answers']);
  }
});

test('progress arrives line by line, and the result is the printed JSON', async (t) => {
  t.after(() => rmSync(join(tmpdir(), 'pincite-nowhere'), { recursive: true }));
  /** @type {string[]} */
  const progress = [];
  const result = await run([process.execPath, STUB], progress);
  assert.deepEqual(progress, ['Reading pages']);
  assert.equal(result.build_id, 'b');
});

test('a failed run is reported with its last sentence', async (t) => {
  const bin = programs(t, { pincite: 'echo working >&2; echo "pincite: Two pages claim the ID kit/start." >&2; exit 1' });
  await assert.rejects(run([join(bin, 'pincite')]), { message: 'Two pages claim the ID kit/start.' });
});

test('a run that fails silently is reported with its exit code', async (t) => {
  const bin = programs(t, { pincite: 'exit 3' });
  await assert.rejects(run([join(bin, 'pincite')]), { message: /failed with exit code 3 and did not say why/ });
});

test('a missing command is reported as missing', async () => {
  await assert.rejects(run(['no-such-pincite']), { message: /"no-such-pincite" does not exist/ });
});

test('a command that writes no result is reported', async (t) => {
  const bin = programs(t, { pincite: 'exec 0<&-; exit 0' });
  await assert.rejects(run([join(bin, 'pincite')]), { message: /wrote no result/ });
});
