/**
 * What an answer obeyed, or a page belongs to, in the reader's words.
 * @param {import('../types.js').AnsweredScope | undefined} scope
 * @param {string} language  The reader's.
 * @returns {string}
 */
export function scopeText(scope, language) {
  return [scope?.version_label ?? scope?.version, nameOf(scope?.locale, language)].filter(Boolean).join(' · ');
}

/**
 * @param {string | null | undefined} locale
 * @param {string} language
 * @returns {string | undefined} Nothing for a name of the site's own, which no reader would know.
 */
function nameOf(locale, language) {
  try {
    return new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(locale ?? '');
  } catch {
    return undefined;
  }
}
