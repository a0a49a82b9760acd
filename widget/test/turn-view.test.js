import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadStrings } from '../src/core/i18n.js';
import { advance, newTurn } from '../src/core/turn.js';
import { installDom } from './support/dom.js';

installDom();
const { confidenceLevel, createTurnView } = await import('../src/chat/turn-view.js');

test('a marker links to the source that carries its number, and is text where none does', async () => {
  const context = /** @type {any} */ ({ t: await loadStrings('en'), language: 'en', site: 'Kit', announce() {},
    hrefOf: (/** @type {{url: string}} */ { url }) => url });
  let turn = newTurn({ id: 'm1', query: 'Which port?', mode: 'corpus', at: 0 });
  const { element, show } = createTurnView(turn, context);
  const citations = [{ n: null, title: 'related', url: '/related' }, { n: 1, title: 'first', url: '/first' }];
  for (const event of /** @type {import('../src/types.js').ChatEvent[]} */ ([{ type: 'start', head: {} },
    { type: 'delta', text: 'Port 8080 [1] or 80 [2].' }, { type: 'sources', citations }, { type: 'end', end: {} }])) {
    show(turn = advance(turn, event), event);
  }
  assert.deepEqual([...element.querySelectorAll('.cite')].map((marker) => marker.getAttribute('href')), ['/first']);
  assert.equal(element.querySelector('.prose')?.textContent?.replaceAll('\u00A0', ' '), 'Port 8080 1 or 80 [2].');
});

test('confidence is low below 0.4, medium below 0.7, high from there', () => {
  assert.deepEqual([0, 0.399, 0.4, 0.699, 0.7, 1].map(confidenceLevel), ['low', 'low', 'medium', 'medium', 'high', 'high']);
});
