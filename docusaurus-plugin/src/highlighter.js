/** Colours code with Docusaurus's highlighter, and the site's themes and languages. */
import siteConfig from '@generated/docusaurus.config';
import { Prism } from '@pincite/prism';

/**
 * @import {PrismTheme} from 'prism-react-renderer'
 * @import {Token} from 'prismjs'
 * @typedef {Partial<CSSStyleDeclaration>} Style
 */

const { prism } = /** @type {{prism?: {theme: PrismTheme, darkTheme?: PrismTheme}}} */ (siteConfig.themeConfig);

/**
 * Colour a `code` element in place, in the page's current theme.
 * @param {HTMLElement} code
 * @param {string} language From the opening fence; '' for none.
 */
export function highlight(code, language) {
  if (!prism) {
    return;
  }
  const theme = (document.documentElement.dataset.theme === 'dark' && prism.darkTheme) || prism.theme;
  const name = language.toLowerCase();
  Object.assign(code.style, theme.plain);
  const styles = stylesOf(theme, name);
  const tokens = tokenize(code.textContent ?? '', name);
  code.replaceChildren(...tokens.map((token) => draw(token, styles)));
}

/** @param {string} text @param {string} language */
function tokenize(text, language) {
  const grammar = Prism.languages[language];
  if (!grammar) {
    return [text];
  }
  const job = { code: text, grammar, language, tokens: /** @type {(string | Token)[]} */ ([]) };
  Prism.hooks.run('before-tokenize', job); // Embedded languages need these hooks.
  job.tokens = Prism.tokenize(job.code, grammar);
  Prism.hooks.run('after-tokenize', job);
  return job.tokens;
}

/** Return a theme's style for each type of token. @param {PrismTheme} theme @param {string} language */
function stylesOf({ styles }, language) {
  /** @type {Record<string, Style>} */
  const found = {};
  for (const { types, languages, style } of styles) {
    if (languages && !languages.includes(language)) {
      continue;
    }
    for (const type of types) {
      found[type] = { ...found[type], .../** @type {Style} */ (style) };
    }
  }
  return found;
}

/** @param {string | Token} token @param {Record<string, Style>} styles @returns {string | HTMLElement} */
function draw(token, styles) {
  if (typeof token === 'string') {
    return token;
  }
  const element = document.createElement('span');
  Object.assign(element.style, ...[token.type, token.alias].flat().map((type) => type && styles[type]));
  element.append(...[token.content].flat().map((part) => draw(part, styles)));
  return element;
}
