/** What of a site's settings cannot be used; loaded where it has any that can be wrong. */
import { safeUrl } from '../core/links.js';
import { ownStrings } from '../launcher/own-strings.js';
import english from '../strings/en.js';

/** The launcher's own words, which are no business of the chat. */
const LABELS = ['launch', 'askAboutThis'];

/**
 * Tell who made the page, once, what of its settings is left out.
 * @param {import('../types.js').ChatHost} host
 */
export function checkSettings(host) {
  if (!isJson(host.getAttribute('strings') ?? '{}')) complain('strings is no JSON object');
  checkStrings(ownStrings(host));
  const value = (/** @type {string} */ name) => host.getAttribute(name);
  if (!/^(?:left|right)?$/u.test(value('position') ?? '')) complain(`position="${value('position')}" is neither left nor right`);
  for (const name of ['contact', 'consent-url', 'search-url']) {
    const url = value(name) ?? '';
    if (url && !url.startsWith('mailto:') && !safeUrl(url, document.baseURI)) complain(`${name}="${url}" is no address`);
  }
}

/** @param {Record<string, unknown>} own  The site's own words. */
function checkStrings(own) {
  for (const [key, text] of Object.entries(own)) {
    if (typeof text === 'string' && (Object.hasOwn(english, key) || LABELS.includes(key))) continue;
    complain(`strings.${key} is no text that strings.json knows`);
  }
}

/** @param {string} text */
function isJson(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return false;
  }
}

/** @param {string} what */
function complain(what) {
  console.warn(`<pincite-chat>: ${what}, and is left out.`);
}
