/** Where a landing waits while the browser loads its page. */
const KEY = 'pincite:landing';

/** A landing older than this belongs to a visit the reader has given up. */
const MAX_AGE_MS = 30_000;

/**
 * @param {import('../types.js').Landing} landing
 */
export function rememberLanding(landing) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(landing));
  } catch {
    // Without storage the browser's own jump to the anchor has to do.
  }
}

/** Whether a landing waits, for whatever page. */
export function hasLanding() {
  try {
    return !!sessionStorage.getItem(KEY);
  } catch {
    return false;
  }
}

/**
 * The landing that was meant for this page, taken out of its store.
 * @param {string} page  As `pageOf` gives it.
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
