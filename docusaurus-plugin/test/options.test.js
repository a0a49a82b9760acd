import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { normalizePluginOptions } from '@docusaurus/utils-validation';
import { OPTIONS, validateOptions } from '../src/options.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** @param {object} [options] */
function check(options) {
  return validateOptions({ options, validate: /** @type {any} */ (normalizePluginOptions) });
}

test("the user's options are kept", () => {
  const options = {
    api: 'https://chat.example.com',
    indexer: ['uv', 'run', 'pincite'],
    previous: true,
    exclude: ['/docs/internal/**'],
    shortcut: '',
    contact: 'mailto:docs@example.com',
  };
  assert.deepEqual(check(options), { ...check(), ...options });
});

test('send: embedding is accepted with embedder: browser', () => {
  assert.equal(check({ embedder: 'browser', send: 'embedding' }).send, 'embedding');
});

test('api may be false', () => {
  assert.equal(check({ api: false }).api, false);
});

for (const shortcut of ['cmd+k', 'Ctrl+Shift+K', 'alt+f2']) {
  test(`${shortcut} is a shortcut`, () => assert.equal(check({ shortcut }).shortcut, shortcut));
}

test('plugin and widget have the same pattern for a shortcut', () => {
  const [plugin, widget] = ['../src/options.js', '../../widget/src/launcher/shortcut.js'].map(
    (file) => /const SHORTCUT = \/(.*)\/\w+;/.exec(readFileSync(new URL(file, import.meta.url), 'utf8'))?.[1],
  );
  assert.equal(plugin, widget);
});

/** @type {[object, RegExp][]} */
const WRONG = [
  [{ apii: '/chat' }, /"apii" is not allowed/],
  [{ api: 'chat.example.com' }, /"api" must be the sidecar's address, such as "https:\/\/chat\.example\.com"/],
  [{ api: '//chat.example.com' }, /"api" must be/],
  [{ index: 'false' }, /"index" must be a boolean/],
  [{ onLostId: 'throw' }, /"onLostId" must be one of \[ignore, warn, fail\]/],
  [{ onIndexError: 'fail' }, /"onIndexError" must be one of/],
  [{ include: [] }, /"include" must contain at least 1 item/],
  [{ include: '/docs/**' }, /"include" must be an array/],
  [{ contact: 'javascript:alert(1)' }, /"contact" must be a page or a mailbox/],
  [{ shortcut: 'k' }, /"shortcut" must be keys with ctrl, cmd or alt among them, such as "ctrl\+i"/],
  [{ shortcut: 'hyper+k' }, /"shortcut" must be/],
  [{ strings: { lanch: 'Ask' } }, /"strings" has no text "lanch"\. The file pincite\/strings\.json of a build lists all texts/],
  [{ strings: { title: 'Ask {sight}' } }, /"strings" uses \{sight\} in "title", which allows \{site\}/],
  [{ strings: { launch: 1 } }, /"strings\.launch" must be a string/],
  [{ icon: '<svg>' }, /"icon" must be the path of an icon on a grid of 24 by 24/],
  [{ api: true }, /"api" must be/],
  [{ browserAnswers: 'yes' }, /"browserAnswers" must be a boolean/],
  [{ embedder: 'reader' }, /"embedder" must be one of \[sidecar, browser\]/],
  [{ send: 'embedding' }, /"send" must be "question", or "embedding" with embedder: "browser"/],
  [{ embedder: 'browser', send: 'words' }, /"send" must be "question"/],
  [{ position: 'top' }, /"position" must be one of \[left, right\]/],
  [{ consent: {} }, /"consent" must contain at least one of \[text, url\]/],
  [{ consent: { url: 'javascript:alert(1)' } }, /"consent\.url" must be a page/],
  [{ hideLauncherOn: ['blog'] }, /"hideLauncherOn\[0\]" must be a route of this site/],
  [{ token: 'secret' }, /"token" cannot be an option, because every visitor could read it/],
  [{ apiKey: 'secret' }, /"apiKey" cannot be an option/],
];

for (const [options, message] of WRONG) {
  test(`${JSON.stringify(options)} is refused with a message that helps`, () => {
    assert.throws(() => check(options), { message });
  });
}

test('the README lists every option with its default', () => {
  const { dev, ...flat } = /** @type {Record<string, any>} */ (check());
  const names = Object.keys(OPTIONS.describe().keys).filter((name) => !['dev', 'token', 'apiKey'].includes(name));
  const nested = Object.entries(dev).map(([name, value]) => [`dev.${name}`, value]);
  for (const [name, value] of [...names.map((name) => [name, flat[name]]), ...nested]) {
    const row = README.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    assert.ok(row, `no row for ${name}`);
    const shown = value === undefined ? '' : `\`${JSON.stringify(value).replaceAll('"', "'")}\``;
    assert.equal(row.split('|')[2].trim(), shown, `default of ${name}`);
  }
});
