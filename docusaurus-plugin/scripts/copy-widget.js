/** Puts the built widget into this package, so that it can be served without the Python one. */
import { cp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../widget/dist/', import.meta.url));
const target = fileURLToPath(new URL('../widget/', import.meta.url));

if (!existsSync(source)) {
  throw new Error(`There is no built widget in ${source}. Run "npm ci && npm run build" in the widget's folder first.`);
}
await rm(target, { recursive: true, force: true });
// What runs the encoder in browsers is written by the indexer, where a site asks for it.
await cp(source, target, { recursive: true, filter: (file) => file !== join(source, 'encoder') });
