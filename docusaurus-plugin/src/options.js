/** The plugin's options, their defaults and their validation. Readers can download all of them, so no option is a secret. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { WIDGET_DIR } from './widget.js';

/**
 * @import {OptionValidationContext} from '@docusaurus/types'
 * @import {Options, PluginOptions} from './index.js'
 */

/**
 * Docusaurus's Joi, because Docusaurus extends this schema, and schemas of two Joi versions cannot be mixed. It is required,
 * because no import finds it both in Node.js and in Docusaurus's plugin loader.
 * @type {typeof import('@docusaurus/utils-validation')}
 */
const { Joi } = createRequire(import.meta.url)('@docusaurus/utils-validation');

const ADDRESS = /^(?:https?:\/\/\S+|\/(?!\/)\S*)$/;
const CONTACT = /^(?:https?:\/\/\S+|mailto:\S+|\/(?!\/)\S*)$/;

/** The same as in the widget's src/launcher/shortcut.js. */
const SHORTCUT = /^(?=.*(?:ctrl|cmd|alt)\+)(?:(?:ctrl|cmd|alt|shift)\+)+([a-z\d]|f\d\d?)$/i;

const ICON = /^[Mm][MmLlHhVvCcSsQqTtAaZz\d\s.,-]+$/;
const ROUTE = /^\/(?!\/)\S*$/;

const globs = Joi.array().items(Joi.string());

/** @param {RegExp} pattern @param {string} expected */
function text(pattern, expected) {
  return Joi.string().pattern(pattern).messages({ 'string.pattern.base': `{{#label}} must be ${expected}` });
}

/** @param {string} name */
function secret(name) {
  return Joi.any().forbidden().messages({
    'any.unknown':
      `"${name}" cannot be an option, because every visitor could read it: `
      + 'set it at run time with document.querySelector(\'pincite-chat\').token = ...',
  });
}

export const OPTIONS = Joi.object({
  api: text(ADDRESS, 'the sidecar\'s address, such as "https://chat.example.com", or a path on this site, such as "/chat"; false for none')
    .allow('', false)
    .default(''),
  index: Joi.boolean().default(true),
  indexer: Joi.alternatives(Joi.string(), Joi.array().items(Joi.string()).min(1)),
  python: Joi.string(),
  model: Joi.string(),
  previous: Joi.alternatives(Joi.boolean(), Joi.string()),
  include: globs.min(1).default(['**']),
  exclude: globs.default([]),
  noindex: Joi.string().valid('exclude', 'include').default('exclude'),
  llms: Joi.boolean().default(false),
  search: Joi.boolean().default(true),
  browserAnswers: Joi.boolean().default(false),
  embedder: Joi.string().valid('sidecar', 'browser').default('sidecar'),
  send: Joi.when('embedder', { is: 'browser', then: Joi.valid('question', 'embedding'), otherwise: Joi.valid('question') })
    .default('question')
    .messages({ 'any.only': '{{#label}} must be "question", or "embedding" with embedder: "browser"' }),
  onLostId: Joi.string().valid('ignore', 'warn', 'fail').default('warn'),
  onIndexError: Joi.string().valid('ignore', 'log', 'warn', 'throw').default('throw'),
  siteTitle: Joi.string(),
  // Not "/" or Ctrl/Cmd+K, which open a site's search.
  shortcut: text(SHORTCUT, 'keys with ctrl, cmd or alt among them, such as "ctrl+i" or "alt+shift+q"').allow('').default('ctrl+i'),
  contact: text(CONTACT, 'a page or a mailbox, such as "https://example.com/help" or "mailto:docs@example.com"'),
  searchUrl: text(ADDRESS, 'the address of the site\'s search page, such as "/search"'),
  strings: Joi.object().pattern(Joi.string(), Joi.string()).default({}).custom(checkStrings).messages({
    'any.custom': '{{#label}} {{#error.message}}',
  }),
  icon: text(ICON, 'the path of an icon on a grid of 24 by 24, such as "M4 5h16v11H4z"'),
  position: Joi.string().valid('left', 'right'),
  consent: Joi.object({
    text: Joi.string(),
    url: text(ADDRESS, 'a page, such as "/privacy" or "https://example.com/privacy"'),
  }).or('text', 'url'),
  hideLauncherOn: Joi.array()
    .items(text(ROUTE, 'a route of this site without its base URL, such as "/blog/*"'))
    .default([]),
  dev: Joi.object({
    serve: Joi.boolean().default(false),
    port: Joi.number().port().default(3001), // `docusaurus start` uses 3000.
  }).default(),
  token: secret('token'),
  apiKey: secret('apiKey'),
});

/**
 * @param {Record<string, string>} strings
 * @throws {Error} Names the first unknown key or placeholder.
 */
function checkStrings(strings) {
  /** @type {Record<string, string>} */
  const known = JSON.parse(readFileSync(`${WIDGET_DIR}strings.json`, 'utf8'));
  for (const [key, text] of Object.entries(strings)) {
    if (!Object.hasOwn(known, key)) {
      throw new Error(`has no text "${key}". The file pincite/strings.json of a build lists all texts.`);
    }
    const allowed = placeholders(known[key]);
    const unknown = placeholders(text).find((name) => !allowed.includes(name));
    if (unknown) {
      throw new Error(`uses ${unknown} in "${key}", which allows ${allowed.join(', ') || 'no placeholder'}.`);
    }
  }
  return strings;
}

/** @param {string} text @returns {string[]} */
function placeholders(text) {
  return text.match(/\{\w+\}/g) ?? [];
}

/**
 * Check the user's options and fill in the defaults.
 * @param {OptionValidationContext<Options | undefined, PluginOptions>} context
 * @returns {PluginOptions}
 * @throws {Error} A Joi error that names the option and its valid values.
 */
export function validateOptions({ options, validate }) {
  return validate(OPTIONS, options);
}
