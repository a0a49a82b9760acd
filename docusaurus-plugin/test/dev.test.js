/** `docusaurus start` with the plugin. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, startSite } from './site.js';

/** Ask until there is an answer: the sidecar starts beside the site. @param {string} url */
async function untilAnswered(url) {
  let response = await fetch(url, { method: 'POST' });
  while (response.status === 504) {
    await wait(100);
    response = await fetch(url, { method: 'POST' });
  }
  return response;
}

test('docusaurus start serves the chat and its files without a build', async (t) => {
  const origin = await startSite(t, { api: 'https://chat.kit.example' });
  const page = await (await fetch(`${origin}/kit/`)).text();
  assert.match(page, /<pincite-chat api="https:\/\/chat\.kit\.example" base-url="\/kit\/" site-title=/);
  assert.ok(!page.includes('build-id'));

  const loader = await fetch(`${origin}/kit/pincite/pincite.js`);
  assert.equal(loader.status, 200);
  assert.match(loader.headers.get('content-type') ?? '', /javascript/);
});

test('docusaurus start can start a sidecar and proxies questions to it', async (t) => {
  const port = await freePort();
  const origin = await startSite(t, { api: 'https://chat.kit.example', dev: { serve: true, port } });
  const page = await (await fetch(`${origin}/kit/`)).text();
  assert.match(page, /<pincite-chat base-url=/);

  const answer = await untilAnswered(`${origin}/api/chat`);
  assert.match(await answer.text(), /^POST \/api\/chat of .*build\/pincite$/);
  const other = await (await fetch(`${origin}/kit/api/`)).text();
  assert.match(other, /<html/);
  t.after(() => assert.rejects(fetch(`http://127.0.0.1:${port}/`), 'the sidecar outlives the site'));
});
