/**
 * The plugin's options: their defaults and what is accepted.
 *
 * Everything here may end up in the pages a reader downloads, so nothing secret is an option.
 */

import { createRequire } from 'node:module';
import { unknownWords } from './words.js';

/**
 * @import {OptionValidationContext} from '@docusaurus/types'
 * @import {Options, PluginOptions} from './index.js'
 */

/**
 * Docusaurus's own Joi, because core extends this schema, and schemas of two versions of Joi cannot be mixed. Required
 * rather than imported: neither kind of import finds it both in Node.js and in Docusaurus's loader of plugins.
 *
 * @type {typeof import('@docusaurus/utils-validation')}
 */
const { Joi } = createRequire(import.meta.url)('@docusaurus/utils-validation');

/** @type {PluginOptions} */
export const DEFAULT_OPTIONS = {
  api: '',
  index: true,
  indexer: undefined,
  python: undefined,
  model: undefined,
  previous: undefined,
  include: ['**'],
  exclude: [],
  noindex: 'exclude',
  llms: false,
  search: true,
  browserAnswers: false,
  embedder: 'sidecar',
  send: 'question',
  onLostId: 'warn',
  onIndexError: 'throw',
  siteTitle: undefined,
  // Neither "/" nor Ctrl/Cmd+K: those belong to the site's own search.
  shortcut: 'ctrl+i',
  contact: undefined,
  searchUrl: undefined,
  strings: {},
  icon: undefined,
  position: undefined,
  consent: undefined,
  hideLauncherOn: [],
  // The port beside the one of `docusaurus start`, which is 3000.
  dev: { serve: false, port: 3001 },
};

const ADDRESS = /^(?:https?:\/\/\S+|\/(?!\/)\S*)$/;
const CONTACT = /^(?:https?:\/\/\S+|mailto:\S+|\/(?!\/)\S*)$/;

/** As of the widget, src/launcher/shortcut.js. */
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

const OPTIONS = Joi.object({
  api: text(ADDRESS, 'the sidecar\'s address, such as "https://chat.example.com", or a path on this site, such as "/chat"; false for none')
    .allow('', false)
    .default(DEFAULT_OPTIONS.api),
  index: Joi.boolean().default(DEFAULT_OPTIONS.index),
  indexer: Joi.alternatives(Joi.string(), Joi.array().items(Joi.string()).min(1)),
  python: Joi.string(),
  model: Joi.string(),
  previous: Joi.alternatives(Joi.boolean(), Joi.string()),
  include: globs.min(1).default(DEFAULT_OPTIONS.include),
  exclude: globs.default(DEFAULT_OPTIONS.exclude),
  noindex: Joi.string().valid('exclude', 'include').default(DEFAULT_OPTIONS.noindex),
  llms: Joi.boolean().default(DEFAULT_OPTIONS.llms),
  search: Joi.boolean().default(DEFAULT_OPTIONS.search),
  browserAnswers: Joi.boolean().default(DEFAULT_OPTIONS.browserAnswers),
  embedder: Joi.string().valid('sidecar', 'browser').default(DEFAULT_OPTIONS.embedder),
  send: Joi.when('embedder', { is: 'browser', then: Joi.valid('question', 'embedding'), otherwise: Joi.valid('question') })
    .default(DEFAULT_OPTIONS.send)
    .messages({ 'any.only': '{{#label}} must be "question", or "embedding" with embedder: "browser"' }),
  onLostId: Joi.string().valid('ignore', 'warn', 'fail').default(DEFAULT_OPTIONS.onLostId),
  onIndexError: Joi.string().valid('ignore', 'log', 'warn', 'throw').default(DEFAULT_OPTIONS.onIndexError),
  siteTitle: Joi.string(),
  shortcut: text(SHORTCUT, 'keys with ctrl, cmd or alt among them, such as "ctrl+i" or "alt+shift+q"').allow('').default(DEFAULT_OPTIONS.shortcut),
  contact: text(CONTACT, 'a page or a mailbox, such as "https://example.com/help" or "mailto:docs@example.com"'),
  searchUrl: text(ADDRESS, 'the address of the site\'s search page, such as "/search"'),
  strings: Joi.object().pattern(Joi.string(), Joi.string()).default(DEFAULT_OPTIONS.strings).custom(checkWords).messages({
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
    .default(DEFAULT_OPTIONS.hideLauncherOn),
  dev: Joi.object({
    serve: Joi.boolean().default(DEFAULT_OPTIONS.dev.serve),
    port: Joi.number().port().default(DEFAULT_OPTIONS.dev.port),
  }).default(DEFAULT_OPTIONS.dev),
  token: secret('token'),
  apiKey: secret('apiKey'),
});

/**
 * @param {Record<string, string>} strings
 * @returns {Record<string, string>}
 * @throws {Error} Names the first text that the chat would not know what to do with.
 */
function checkWords(strings) {
  const [wrong] = unknownWords(strings);
  if (wrong) {
    throw new Error(wrong);
  }
  return strings;
}

/**
 * Check the user's options and fill in the defaults.
 *
 * @param {OptionValidationContext<Options | undefined, PluginOptions>} context
 * @returns {PluginOptions}
 * @throws {Error} A Joi error that names the option and what it must be.
 */
export function validateOptions({ options, validate }) {
  return validate(OPTIONS, options);
}
