/**
 * Takes a screenshot of every state of the widget: light, dark, on a phone, right to left, in forced colours, at 200 %:
 *     npm run screenshots -- DIRECTORY
 */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser, startSite } from '../support/browser.js';
import { visit } from '../support/reader.js';
import { STATES } from '../support/states.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** @type {Record<string, [query: string, options: object]>} */
const LOOKS = {
  light: ['', {}],
  dark: ['?theme=dark', {}],
  phone: ['', PHONE],
  rtl: ['?lang=fa', {}],
  contrast: ['', { forcedColors: 'active' }],
  zoomed: ['', { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }],
};

const directory = process.argv[2] ?? await mkdtemp(join(tmpdir(), 'pincite-screenshots-'));
await mkdir(directory, { recursive: true });
const browser = await launchBrowser();
for (const [look, [query, options]] of Object.entries(LOOKS)) {
  for (const [state, reach] of Object.entries(STATES)) {
    const site = await startSite();
    const { page, context } = await visit(browser, `${site.url}/guide/retries.html${query}`, options);
    await reach(page, site);
    await page.screenshot({ path: join(directory, `${look}-${state}.png`) });
    await context.close();
    await site.stop();
  }
}
await browser.close();
console.log(directory);
