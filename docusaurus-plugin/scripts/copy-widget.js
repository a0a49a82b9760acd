/** Copies the built widget into this package, so that the plugin works without the Python package. */
import { cp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../widget/dist/', import.meta.url));
const target = fileURLToPath(new URL('../widget/', import.meta.url));

if (!existsSync(source)) {
  throw new Error(`The widget is not built: ${source} does not exist. Run "npm ci && npm run build" in the widget's folder first.`);
}
await rm(target, { recursive: true, force: true });
// The indexer writes the encoder's files for sites that use it.
await cp(source, target, { recursive: true, filter: (file) => file !== join(source, 'encoder') });
