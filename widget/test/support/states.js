/** All states of the widget, and the actions that lead to them. */
import { ANSWER, answers, CITATIONS, REFUSAL, refuses, SEARCHED, STATUS, streams } from './answers.js';
import { answered, ask, askAndWait, openChat, select, widget } from './reader.js';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./sidecar.js').Sidecar} Sidecar */

/** @type {Record<string, (page: Page, site: Sidecar) => Promise<unknown>>} */
export const STATES = {
  launcher: async () => {},
  open: openChat,
  'ask-about-this': async (page) => {
    await select(page, '#why + p');
    await widget(page, '.ask-this').waitFor();
  },
  searching: async (page, site) => {
    site.next(streams(['status', STATUS.asked], ['status', STATUS.searching]));
    await ask(page);
    await widget(page, '.status').filter({ hasText: 'max_attempts' }).waitFor();
  },
  reading: async (page, site) => {
    site.next(streams(['status', STATUS.searching], ['status', STATUS.reading]));
    await ask(page);
    await widget(page, '.status').filter({ hasText: 'Exponential backoff' }).waitFor();
  },
  checking: async (page, site) => {
    site.next(streams(['status', STATUS.reading], ['answer_start', {}], ['answer_delta', { text: ANSWER[0] }], ['status', STATUS.checking]));
    await ask(page);
    await widget(page, '.prose + .waiting .status').waitFor();
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
  'refusal-searched': async (page, site) => {
    site.next((reply) => {
      streams(['status', STATUS.searching], ['refusal', { ...REFUSAL, searched: SEARCHED }])(reply);
      reply.end();
    });
    await ask(page, 'Who won the world cup?');
    await widget(page, '.refusal').waitFor();
  },
  absent: async (page, site) => {
    const absent = 'The docs do not say how long a failed job is kept.';
    const claims = [{ text: 'A failed job is retried.', support: 'verified', citations: [1], quote: 'A failed job is retried', markers: [0] },
      { text: absent, support: 'absent', citations: [], quote: '' }];
    site.next(answers({ text: [`${ANSWER[0]} ${absent}`], citations: CITATIONS.slice(0, 1), head: { composer: 'llm' }, end: { claims } }));
    await askAndWait(page);
    await widget(page, 'summary').click();
    await widget(page, '.meta dl').waitFor();
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
    const { search } = new URL(page.url()); // The page's language and theme.
    site.next(answers({ citations: CITATIONS.map((citation) => ({ ...citation, url: citation.url.replace('#', `${search}#`) })) }));
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
    await widget(page, '.history').waitFor();
  },
};
