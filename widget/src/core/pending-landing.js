/** Keeps a landing in session storage while the browser loads its page. */
const KEY = 'pincite:landing';

/** After this time the reader has probably cancelled the navigation. */
const MAX_AGE_MS = 30_000;

/** @param {import('../types.js').Landing} landing */
export function rememberLanding(landing) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(landing));
  } catch {
    // Without storage, the browser still scrolls to the anchor.
  }
}

/** Return whether a landing is stored, for this page or another one. */
export function hasLanding() {
  try {
    return !!sessionStorage.getItem(KEY);
  } catch {
    return false;
  }
}

/**
 * Remove the stored landing and return it if it is for this page.
 * @param {string} page  From `pageOf`.
 * @param {number} now  Milliseconds since the epoch.
 * @returns {import('../types.js').Landing | null}
 */
export function takeLanding(page, now) {
  try {
    const text = sessionStorage.getItem(KEY);
    if (!text) return null;
    sessionStorage.removeItem(KEY);
    const landing = JSON.parse(text);
    return landing.page === page && now - landing.at < MAX_AGE_MS ? landing : null;
  } catch {
    return null;
  }
}
