/**
 * The site's own words, by their keys in `strings.json`: the property `strings`, or the attribute of that name as JSON.
 * @param {HTMLElement & {strings?: Record<string, string> | null}} host
 * @returns {Record<string, string>} None where the attribute is no JSON.
 */
export function ownStrings(host) {
  try {
    return Object(host.strings ?? JSON.parse(host.getAttribute('strings') ?? '{}')); // JSON can be null.
  } catch {
    return {};
  }
}
