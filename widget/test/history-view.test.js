import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTurn } from '../src/core/turn.js';
import { installDom } from './support/dom.js';

installDom();
const { refreshCitations } = await import('../src/chat/history-view.js');

/** @param {string} id @param {string | null} version */
const turn = (id, version) => newTurn({
  id, query: 'How often?', mode: 'corpus', at: 0, buildId: 'old', head: { scope: { locale: 'en', version } },
  citations: [{ n: 1, stable_id: 'pages/limits#retries', title: 'Limits', url: `/${version ?? ''}` }],
});

test('a stored citation stays in the version that answered', async () => {
  const session = { id: 's', title: 'T', created_at: 0, updated_at: 0, turns: [turn('a', '1.0'), turn('b', null), turn('c', '1.0')] };
  const asked = /** @type {object[]} */ ([]);
  const api = /** @type {any} */ ({
    resolve: async (/** @type {string[]} */ ids, /** @type {{version?: string}} */ scope) => {
      asked.push(scope);
      return Object.fromEntries(ids.map((id) => [id, { status: 'current', url: `/${scope.version}/limits/#retries` }]));
    },
  });
  const fresh = await refreshCitations(session, { api, buildId: 'new', scope: { version: '2.0', locale: 'en' } });
  const urls = fresh.turns.map(({ citations }) => citations[0].url);
  assert.deepEqual(urls, ['/1.0/limits/#retries', '/2.0/limits/#retries', '/1.0/limits/#retries']);
  assert.deepEqual(asked, [{ version: '1.0', locale: 'en' }, { version: '2.0', locale: 'en' }]);
});

test('a conversation is unchanged if the sidecar does not answer', async () => {
  const session = { id: 's', title: 'T', created_at: 0, updated_at: 0, turns: [turn('a', '1.0')] };
  const api = /** @type {any} */ ({ resolve: () => Promise.reject(new Error('offline')) });
  assert.equal(await refreshCitations(session, { api, buildId: 'new', scope: {} }), session);
});
