/**
 * Stands in for the indexer: keeps its contract, does no work, and records what it was given.
 *
 * STUB_RECORD: folder for one JSON file a locale. STUB_FAILURE: a sentence to fail with.
 */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** What the browser test needs of the chat: that it is defined, and a record of what it was told. */
const WIDGET = `customElements.define('pincite-chat', class extends HTMLElement {
  navigate = null;
  routeChanges = 0;
  routeChanged() { this.routeChanges += 1; }
});`;

const args = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(0, 'utf8'));
if (process.env.STUB_RECORD) {
  writeFileSync(join(process.env.STUB_RECORD, `${manifest.locale}.json`), JSON.stringify({args, manifest}));
}
console.error('Reading pages');
if (process.env.STUB_FAILURE) {
  console.error(process.env.STUB_FAILURE);
  process.exit(1);
}
const folder = join(args[1], 'pincite');
mkdirSync(folder, {recursive: true});
const index = {build_id: manifest.build_id, counts: {pages: manifest.pages.length, targets: 7}};
writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
writeFileSync(join(folder, 'pincite.js'), WIDGET);
console.log(JSON.stringify({...index, report: {}}));
