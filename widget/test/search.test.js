import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut } from '../src/search/cut.js';
import { chooseScopes } from '../src/search/files.js';
import { byPage } from '../src/search/page-groups.js';
import { rank } from '../src/search/rank.js';
import { createRecent } from '../src/search/recent.js';
import { openShard } from '../src/search/shard.js';
import { marked, passage } from '../src/search/snippet.js';
import { distance, readVocabulary } from '../src/search/vocabulary.js';

const forms = (/** @type {string} */ text, language = 'en', /** @type {string[]} */ small = []) => (
  cut(text, language, small).map(({ form }) => form));

test('a word is cut into itself and its parts, in lower case, each once', () => {
  assert.deepEqual(forms('moduleNameMapper in HTTPServer mapper'),
    ['modulenamemapper', 'module', 'name', 'mapper', 'in', 'httpserver', 'http', 'server']);
});

test('words that say nothing are left out, unless there are no others', () => {
  const small = ['how', 'do', 'i'];
  assert.deepEqual(forms('How do I mock', 'en', small), ['mock']);
  assert.deepEqual(forms('how do', 'en', small), ['how', 'do']);
});

test('runs without blanks are cut into pairs, and what asks is cut out of them', () => {
  assert.deepEqual(forms('如何安装服务器', 'zh', ['如何']), ['安装', '装服', '服务', '务器']);
  assert.deepEqual(forms('ตั้ง', 'th'), ['ตั้ง']);
  assert.deepEqual(forms('設定を変更', 'ja'), ['設定', '変更']);
});

test('the last word may go on, and one that a blank or a sign ends may not', () => {
  const open = (/** @type {string} */ text) => cut(text, 'en', []).filter((word) => word.open).map(({ form }) => form);
  assert.deepEqual(open('mock mod'), ['mod']);
  assert.deepEqual(open('mock mod '), []);
  assert.deepEqual(open('mock()'), []);
});

const vocabulary = readVocabulary('happi 1:y 1:iest\nlease\nmock 0:ed 0:ing\nmodul 0:e 0:es\nmodulenamemapp 0:er');
const list = (/** @type {Iterable<[string, number]>} */ entries) => [...entries].map(([form]) => form);

test('a vocabulary knows spellings, beginnings, families and near misses', () => {
  assert.deepEqual([...vocabulary.exactly('happy')], [['happy', 0]]);
  assert.deepEqual(list(vocabulary.beginning('modu')), ['modul', 'module', 'modulenamemapp', 'modulenamemapper', 'modules']);
  assert.deepEqual(list(vocabulary.family('mocker')), ['mocked']);
  assert.deepEqual(list(vocabulary.family('leases')), ['lease']);
  assert.deepEqual(list(vocabulary.near('lesae')), ['lease']);
  assert.deepEqual(list(vocabulary.near('lez')), []);
  assert.deepEqual(vocabulary.spellings(2), ['mock', 'mocked', 'mocking']);
});

test('neighbours exchanged are one slip', () => {
  assert.equal(distance('recieve', 'receive', 2), 1);
  assert.equal(distance('abc', 'xyz', 1), 2);
});

const ENTRY = { plugin: 'default', version: null, version_label: null, is_last: true, locale: 'en', words: ['w'], postings: ['p'], texts: ['t'] };
/** @type {Record<string, any>} */
const FILES = {
  w: {
    pages: [
      ['/a/', 'Leases', 'guide', [['length', ['Length'], [4]], ['lost', ['Lost'], [5, 4]]]],
      ['/b/', 'Mocks', 'guide', [['', [], [6]]]],
    ],
    vocabulary: 'leas 0:e 0:es\nlost\nmock 0:s',
    postings: [0, 2],
    texts: [0],
  },
  // Of body, headings, links and page: each place times eight plus how often, less one.
  p: [[[0, 16], [], [], [0]], [[], [8], [], []], [[24], [], [], [8]]],
  t: ['A lease lasts.', 'It is gone.', 'A lease that was lost.', 'Mocks stand in.'],
};
const load = async (/** @type {string} */ file) => {
  if (file === 'p') return FILES.p.slice(0, 2);
  if (file === 'p2') return FILES.p.slice(2);
  return FILES[file];
};
const search = async (/** @type {string} */ text) => {
  const shard = await openShard({ ...ENTRY, postings: ['p', 'p2'] }, load);
  return rank(cut(text, 'en', []), [shard]);
};
const anchors = async (/** @type {string} */ text) => (await search(text)).hits.map(({ section }) => section.url + section.anchor);

test('sections are ranked by their words, headings and pages, and each stands once', async () => {
  assert.deepEqual(await anchors('lease lost'), ['/a/lost', '/a/length']);
  assert.deepEqual(await anchors('mocks'), ['/b/']);
  assert.deepEqual(await anchors('nothing of it'), []);
});

test('a word is found while it is typed, and misspelled', async () => {
  assert.deepEqual(await anchors('mo'), ['/b/']);
  assert.deepEqual(await anchors('mo '), []);
  assert.equal((await anchors('lesae'))[0], '/a/length');
});

test('the part of a section that fits best is shown, with all spellings of what was found', async () => {
  const { hits: [first], forms: found } = await search('lease');
  assert.deepEqual([...found].sort(), ['leas', 'lease', 'leases']);
  assert.equal(await first.shard.text(2), 'A lease that was lost.');
});

test('sections of a page stand together, and no page takes all places', async () => {
  const { hits } = await search('lease');
  const many = [...hits, ...hits, ...hits];
  assert.deepEqual(byPage(many).map((page) => page.length), [2]);
});

test('what was looked for is marked, in runs without blanks as well', () => {
  assert.deepEqual(marked('A Lease, leased', new Set(['lease'])), [['A ', false], ['Lease', true], [', leased', false]]);
  assert.deepEqual(marked('请安装服务器', new Set(['安装', '服务', '务器'])), [['请', false], ['安装服务器', true]]);
});

test('a passage begins where a sentence does and shows no marks of Markdown', () => {
  const text = `${'Some words before. '.repeat(12)}The **lease** lasts \`30\` seconds. ${'More words. '.repeat(20)}`;
  const { shown, cited } = passage(text, new Set(['lease']));
  assert.match(shown, /^The lease lasts 30 seconds\. .* …$/u);
  assert.ok(text.includes(cited));
  assert.match(cited, /\.$/u);
});

test('scopes are those of the page: its language, its version where the docs have it, else the last', () => {
  const scope = (/** @type {string | null} */ version, locale = 'en', isLast = true, plugin = 'default') => (
    { ...ENTRY, plugin, version, locale, is_last: isLast });
  const scopes = [scope('2'), scope('1', 'en', false), scope(null), scope('9', 'en', true, 'api'), scope('2', 'fr')];
  const manifest = { format: 3, default_locale: 'en', scopes, small_words: {} };
  const chosen = (/** @type {import('../src/types.js').Scope} */ place) => (
    chooseScopes(manifest, place).map(({ plugin, version, locale }) => `${plugin} ${version} ${locale}`));
  assert.deepEqual(chosen({}), ['default 2 en', 'default null en', 'api 9 en']);
  assert.deepEqual(chosen({ version: '1' }), ['default 1 en', 'default null en', 'api 9 en']);
  assert.deepEqual(chosen({ locale: 'fr-CA', version: '7' }), ['default 2 fr']);
  assert.deepEqual(chosen({ locale: 'de' }), ['default 2 en', 'default null en', 'api 9 en']);
});

test('a page in the folder of a version searches that version, and the longest folder counts', () => {
  const scope = (/** @type {string | null} */ version, /** @type {string[]} */ folders, isLast = false, plugin = '') => (
    { ...ENTRY, plugin, version, version_label: version, locale: 'en', is_last: isLast, folders });
  const scopes = [
    scope('latest', ['/kit/'], true), scope('1.0', ['/kit/1.0/', '/kit/old/']), scope(null, []),
    scope('1.0', ['/kit/lamp/1.0/'], false, 'lamp'), scope('2.0', ['/kit/lamp/2.0/'], true, 'lamp'),
  ];
  const manifest = { format: 2, default_locale: 'en', scopes, small_words: {} };
  const chosen = (/** @type {import('../src/search/files.js').Place} */ place) => (
    chooseScopes(manifest, place).map(({ plugin, version }) => `${plugin} ${version}`.trim()));
  assert.deepEqual(chosen({ path: '/kit/1.0/install' }), ['1.0', 'null', 'lamp 2.0']);
  assert.deepEqual(chosen({ path: '/kit/old' }), ['1.0', 'null', 'lamp 2.0']);
  assert.deepEqual(chosen({ path: '/kit/install' }), ['latest', 'null', 'lamp 2.0']);
  assert.deepEqual(chosen({ path: '/kit/lamp/1.0/' }), ['latest', 'null', 'lamp 1.0']);
  assert.deepEqual(chosen({ path: '/elsewhere/' }), ['latest', 'null', 'lamp 2.0']);
  assert.deepEqual(chosen({ path: '/kit/1.0/install', version: '2.0' }), ['latest', 'null', 'lamp 2.0']);
  assert.deepEqual(chosen({ path: '/kit/1.0/install', version: '7' }), ['1.0', 'null', 'lamp 2.0']);
});

test('the last searches are kept, each once, and forgotten when the reader says so', () => {
  /** @type {Map<string, string>} */
  const kept = new Map([['k', '{"broken']]);
  const recent = createRecent({ get: (key) => kept.get(key) ?? null, set: (key, value) => void kept.set(key, value),
    remove: (key) => void kept.delete(key), persistent: () => true }, 'k');
  assert.deepEqual(recent.all(), []);
  for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'b']) recent.add(text);
  assert.deepEqual(recent.all(), ['b', 'g', 'f', 'e', 'd', 'c']);
  recent.forget();
  assert.deepEqual(recent.all(), []);
});
