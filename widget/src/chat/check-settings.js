/** Warns about invalid settings of a site in the console; loaded if the site has settings that can be invalid. */
import { safeUrl } from '../core/links.js';
import { customStrings } from '../launcher/labels.js';
import english from '../strings/en.js';

/** Keys of texts that only the launcher uses. */
const LAUNCHER_KEYS = ['launch', 'askAboutThis'];

/** @param {import('../types.js').ChatHost} host */
export function checkSettings(host) {
  const value = (/** @type {string} */ name) => host.getAttribute(name) ?? '';
  try {
    JSON.parse(host.getAttribute('strings') ?? '{}');
  } catch {
    warn('strings is not valid JSON');
  }
  for (const [key, text] of Object.entries(customStrings(host))) {
    if (typeof text === 'string' && (Object.hasOwn(english, key) || LAUNCHER_KEYS.includes(key))) continue;
    warn(`strings.${key} is not a text of strings.json`);
  }
  if (!/^(?:left|right)?$/u.test(value('position'))) warn(`position="${value('position')}" must be left or right`);
  for (const name of ['contact', 'consent-url', 'search-url']) {
    const url = value(name);
    if (url && !url.startsWith('mailto:') && !safeUrl(url, document.baseURI)) warn(`${name}="${url}" is not a web address`);
  }
}

/** @param {string} problem */
function warn(problem) {
  console.warn(`<pincite-chat>: ${problem}, so it is ignored.`);
}
