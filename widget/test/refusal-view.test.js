import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadStrings } from '../src/core/i18n.js';
import { newTurn } from '../src/core/turn.js';
import { installDom } from './support/dom.js';

installDom();
const { failureText, refusalView } = await import('../src/chat/refusal-view.js');

const TURN = newTurn({ id: 'm1', query: 'Which port?', mode: 'corpus', at: 0 });

test("a failure is shown in the reader's language, with one sentence for all unknown codes", async () => {
  const t = await loadStrings('ru');
  assert.equal(failureText(TURN, { code: 'overloaded', detail: 'Too many requests are waiting for an answer.' }, t), t('error_overloaded'));
  assert.equal(failureText(TURN, { code: 'internal_error', detail: 'Something went wrong on the server.' }, t), t('error_failed'));
  assert.match(failureText(TURN, { code: 'rate_limited', retryAfter: 2 }, t), /через 2 секунды\.$/u);
});

test('a suggestion with a known code is a link or button, and any other is text', async () => {
  const acted = /** @type {string[]} */ ([]);
  const suggestions = [{ code: 'contact', text: 'Fale' }, { code: 'rephrase', text: 'Reformule' }, { code: 'whole_site', text: 'Busque' },
    { code: 'other_topic', text: 'Outro assunto' }];
  const view = refusalView({ type: 'refusal', code: 'no_evidence', message: 'Não sei.', suggestions }, /** @type {any} */ ({
    t: await loadStrings('ko'), contact: '/support', onRephrase: () => acted.push('rephrase'), onWholeSite: () => acted.push('whole site') }));
  assert.deepEqual([...view.querySelectorAll('.suggestions a, .suggestions button, .suggestions span')].map((element) => element.textContent),
    ['고객 지원에 문의하기', '질문 바꿔 보기', '사이트 전체에서 찾기', 'Outro assunto']);
  for (const button of view.querySelectorAll('button')) button.click();
  assert.deepEqual(acted, ['rephrase', 'whole site']);
});

test("a refusal lists the search queries in the reader's language, and has no such line without queries", async () => {
  const context = /** @type {any} */ ({ t: await loadStrings('de') });
  const view = (/** @type {object} */ fields) => refusalView({ type: 'refusal', code: 'no_evidence', message: 'Keine Angabe.', ...fields }, context);
  const line = view({ searched: ['lease', 'مدت اجاره'] }).querySelector('p:last-of-type');
  assert.equal(line?.textContent, 'Gesucht nach: lease · مدت اجاره');
  assert.deepEqual([...line?.querySelectorAll('bdi') ?? []].map((text) => text.getAttribute('dir')), ['auto', 'auto']);
  for (const fields of [{}, { searched: [] }]) assert.equal(view(fields).textContent, 'Keine Angabe.');
});
