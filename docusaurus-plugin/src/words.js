/** The words of the chat that a site may replace: those of `strings.json`, which comes with the widget. */
import { readFileSync } from 'node:fs';
import { WIDGET_DIR } from './widget.js';

/**
 * What is wrong with a site's own words.
 *
 * @param {Record<string, string>} strings
 * @returns {string[]} What to say after the option's name.
 */
export function unknownWords(strings) {
  /** @type {Record<string, string>} */
  const known = JSON.parse(readFileSync(`${WIDGET_DIR}strings.json`, 'utf8'));
  return Object.entries(strings).flatMap(([key, text]) => {
    if (!Object.hasOwn(known, key)) {
      return [`has no text "${key}". All of them are in pincite/strings.json beside the pages of a build.`];
    }
    const filled = placeholders(known[key]);
    const strange = placeholders(text).find((name) => !filled.includes(name));
    return strange ? [`fills ${strange} into "${key}", which has ${filled.join(', ') || 'nothing to fill in'}.`] : [];
  });
}

/** @param {string} text @returns {string[]} */
function placeholders(text) {
  return text.match(/\{\w+\}/g) ?? [];
}
