/**
 * A Web Storage that never throws: in private mode, without quota or if blocked, it falls back to memory.
 * @typedef {ReturnType<typeof createSafeStorage>} SafeStorage
 */

/** @param {() => Storage} open  Called once; may throw, as `window.localStorage` does if it is blocked. */
export function createSafeStorage(open) {
  /** @type {Map<string, string>} */
  const memory = new Map();
  const storage = tryOrNull(open);
  let persistent = storage !== null;

  return {
    /** @param {string} key */
    get: (key) => memory.get(key) ?? tryOrNull(() => storage?.getItem(key) ?? null),
    /** @param {string} key @param {string} value */
    set(key, value) {
      try {
        if (!storage) throw new Error('no storage');
        storage.setItem(key, value);
        memory.delete(key);
      } catch {
        persistent = false;
        memory.set(key, value);
      }
    },
    /** @param {string} key */
    remove(key) {
      memory.delete(key);
      tryOrNull(() => storage?.removeItem(key));
    },
    /** Return false once a value had to be kept in memory. */
    persistent: () => persistent,
  };
}

/**
 * @template T
 * @param {() => T} read
 * @returns {T | null}
 */
function tryOrNull(read) {
  try {
    return read();
  } catch {
    return null;
  }
}
