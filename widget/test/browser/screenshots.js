/**
 * Takes a picture of every state of the widget, light, dark, on a phone and from right to left:
 *     npm run screenshots -- DIRECTORY
 */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, refuses } from '../support/answers.js';
import { launchBrowser, startSite } from '../support/browser.js';
import { answered, ask, askAndWait, openChat, select, visit, widget } from '../support/reader.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../support/sidecar.js').Sidecar} Sidecar */

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** @type {Record<string, (page: Page, site: Sidecar) => Promise<unknown>>} */
const STATES = {
  launcher: async () => {},
  open: openChat,
  'ask-about-this': async (page) => {
    await select(page, '#why + p');
    await widget(page, '.ask-this').waitFor();
  },
  answering: async (page, site) => {
    site.next(answers({ until: new Promise(() => {}) }));
    await ask(page);
    await widget(page, '.prose p').waitFor();
  },
  answered: async (page, site) => {
    site.next(answers());
    await askAndWait(page);
  },
  details: async (page, site) => {
    site.next(answers({ end: { confidence_score: 0.52 } }));
    await askAndWait(page);
    await widget(page, 'summary').click();
    await widget(page, '.expand').first().click();
  },
  refusal: async (page, site) => {
    site.next(refuses());
    await ask(page, 'Who won the world cup?');
    await widget(page, '.refusal').waitFor();
  },
  failure: async (page) => {
    await ask(page);
    await widget(page, '.failure').waitFor();
  },
  selection: async (page, site) => {
    site.next(answers());
    await select(page, '#why + p');
    await widget(page, '.ask-this').click();
    await widget(page, 'textarea').fill('Why are jobs retried?');
    await page.keyboard.press('Enter');
    await answered(page);
  },
  landed: async (page, site) => {
    site.next(answers());
    await askAndWait(page);
    await widget(page, '.cite').first().click();
    await page.waitForFunction(() => document.activeElement?.id === 'backoff');
  },
  history: async (page, site) => {
    site.next(answers());
    site.next(answers());
    await askAndWait(page);
    await widget(page, '.header .icon-button').nth(1).click();
    await askAndWait(page, 'What is the dead-letter queue, and how does a job get there after its last attempt has failed?');
    await widget(page, '.header .icon-button').nth(2).click();
  },
};
/** @type {Record<string, [query: string, options: object]>} */
const LOOKS = { light: ['', {}], dark: ['?theme=dark', {}], phone: ['', PHONE], rtl: ['?lang=fa', {}] };

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
