/** As many as fit without scrolling. */
const MOST = 6;

/**
 * What the reader searched for, kept in this browser alone.
 * @param {import('../core/storage.js').SafeStorage} storage
 * @param {string} key
 */
export function createRecent(storage, key) {
  /** @returns {string[]} Newest first. */
  function all() {
    try {
      const kept = JSON.parse(storage.get(key) ?? '[]');
      return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string').slice(0, MOST) : [];
    } catch {
      return []; // Somebody else's, or half written.
    }
  }
  return {
    all,
    /** @param {string} text */
    add: (text) => storage.set(key, JSON.stringify([text, ...all().filter((other) => other !== text)].slice(0, MOST))),
    forget: () => storage.remove(key),
  };
}
