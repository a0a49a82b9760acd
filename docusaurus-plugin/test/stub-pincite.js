/**
 * A stub of the command `pincite`: it has the same interface, does no work, and records its input.
 *
 * STUB_RECORD: folder for one JSON file per locale. STUB_FAILURE: the message of a failure.
 * STUB_VERSION: a version that differs from the plugin's.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** A stub of the chat, which records its calls. */
const WIDGET = `customElements.define('pincite-chat', class extends HTMLElement {
  navigate = null;
  routeChanges = 0;
  routeChanged() { this.routeChanges += 1; }
});`;

/** @param {string[]} args */
function index(args) {
  const manifest = JSON.parse(readFileSync(0, 'utf8'));
  if (process.env.STUB_RECORD) {
    writeFileSync(join(process.env.STUB_RECORD, `${manifest.locale}.json`), JSON.stringify({ args, manifest }));
  }
  console.error('Reading pages');
  if (process.env.STUB_FAILURE) {
    console.error(process.env.STUB_FAILURE);
    process.exit(1);
  }
  const folder = join(args[1], 'pincite');
  const facts = { build_id: manifest.build_id, size: 1_234_567 };
  const report = { pages_by_kind: { guide: manifest.pages.length }, targets: 7, ids: { auto: 7 }, unreadable: ['broken.html'] };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.json'), JSON.stringify(facts));
  writeFileSync(join(folder, 'pincite.js'), WIDGET);
  console.log(JSON.stringify({ ...facts, report }));
}

/** Answers every request with what it was. @param {string[]} args */
function serve(args) {
  const server = createServer((request, response) => response.end(`${request.method} ${request.url} of ${args[1]}`));
  server.listen(Number(args[args.indexOf('--port') + 1]), '127.0.0.1', () => console.log('Pincite is ready'));
}

/** The plugin's version, or STUB_VERSION. */
function version() {
  const { version: own } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  console.log(`pincite, version ${process.env.STUB_VERSION ?? own}`);
}

const args = process.argv.slice(2);
({ index, serve, '--version': version })[/** @type {'index' | 'serve' | '--version'} */ (args[0])](args);
