/**
 * A page's path, by which two spellings of its address are the same page.
 * @param {string} url  Absolute or from the root.
 */
export function pathOf(url) {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/iu, '').split(/[?#]/u, 1)[0];
  return decoded(path).replace(/(?:\/index)?\.html$/u, '').replace(/\/$/u, '') || '/';
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
