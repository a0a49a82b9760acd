import assert from 'node:assert/strict';
import test from 'node:test';
import { widgetTags } from '../src/widget.js';

const CONTEXT = /** @type {any} */ ({
  baseUrl: '/kit/fr/',
  i18n: { currentLocale: 'fr', defaultLocale: 'en', localeConfigs: { en: { baseUrl: '/kit/' }, fr: { htmlLang: 'fr-FR' } } },
  siteConfig: { title: 'Kit' },
  siteStorage: { namespace: '-e06' },
});

/** @param {object} options @param {object} [context] @param {string} [api] */
function chat(options, context = CONTEXT, api = '') {
  return widgetTags(/** @type {any} */ (context), /** @type {any} */ (options), { api }).postBodyTags[0];
}

test('only set options become attributes', () => {
  assert.equal(
    chat({ shortcut: 'ctrl+i' }),
    '<pincite-chat base-url="/kit/" site-title="Kit" lang="fr-FR" shortcut="ctrl+i" storage-suffix="-e06"></pincite-chat>',
  );
});

test('an empty shortcut becomes an empty attribute, which disables it', () => {
  assert.match(chat({ shortcut: '' }), / shortcut="" /);
});

test('a title is escaped in its attribute', () => {
  assert.match(chat({ siteTitle: '"><script>alert(1)</script> & more' }), / site-title="&quot;>&lt;script>alert\(1\)&lt;\/script> &amp; more" /);
});

test("the sidecar's address has no trailing slash", () => {
  assert.match(chat({}, CONTEXT, 'https://chat.kit.example/'), / api="https:\/\/chat\.kit\.example" /);
});

test("without the base path of another locale, the page's is used", () => {
  const context = { ...CONTEXT, i18n: { ...CONTEXT.i18n, localeConfigs: { en: {}, fr: {} } } };
  assert.match(chat({}, context), / base-url="\/kit\/fr\/" /);
});

test('texts, icon, side, consent and pages without a launcher become attributes', () => {
  const options = { strings: { launch: 'Ask "AI"' }, icon: 'M4 5h16z', position: 'left', consent: { url: '/privacy' }, hideLauncherOn: ['/blog/*'] };
  const written = ' strings="{&quot;launch&quot;:&quot;Ask \\&quot;AI\\&quot;&quot;}" icon="M4 5h16z" position="left" consent-url="/privacy"'
    + ' data-no-launcher-on="[&quot;/blog/*&quot;]"';
  assert.ok(chat(options).includes(written), chat(options));
  assert.doesNotMatch(chat({ strings: {}, hideLauncherOn: [] }), /strings|no-launcher/);
});

test('embedder and send become attributes only in a build', () => {
  const options = { embedder: 'browser', send: 'embedding' };
  const tag = (/** @type {string | undefined} */ buildId) => (
    widgetTags(CONTEXT, /** @type {any} */ (options), { api: '', buildId }).postBodyTags[0]);
  assert.match(tag('b'), /embedder="browser" send="embedding"/);
  assert.doesNotMatch(tag(undefined), /embedder|send/);
});

test('answers becomes an attribute without a sidecar, or with browserAnswers in a build', () => {
  const tag = (/** @type {string | false} */ api, /** @type {object} */ options, buildId = 'b') => (
    widgetTags(CONTEXT, /** @type {any} */ (options), { api, buildId }).postBodyTags[0]);
  assert.match(tag(false, {}), / answers="only"/);
  assert.doesNotMatch(tag(false, {}), / api=/);
  assert.match(tag('/chat', { browserAnswers: true }), / api="\/chat".* answers=""/);
  assert.doesNotMatch(tag('', { browserAnswers: true }, ''), / answers/);
  assert.doesNotMatch(tag('', {}), / answers/);
});
