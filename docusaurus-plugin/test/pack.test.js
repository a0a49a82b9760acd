import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

// With its scripts, because one of them copies the widget.
test('the package contains only the sources and the widget', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], { cwd: PACKAGE, encoding: 'utf8' });
  const found = JSON.parse(output);
  const { files } = Array.isArray(found) ? found[0] : Object.values(found)[0];
  const paths = files.map((/** @type {{path: string}} */ { path }) => path);
  assert.ok(paths.includes('widget/pincite.js') && paths.includes('widget/pincite-chat.js'), paths.join(' '));
  const rest = paths.filter((/** @type {string} */ path) => !path.startsWith('widget/')).sort();
  const sources = readdirSync(new URL('../src', import.meta.url)).map((name) => `src/${name}`);
  assert.deepEqual(rest, ['LICENSE', 'README.md', 'package.json', ...sources].sort());
});
