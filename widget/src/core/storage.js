/**
 * A Web Storage that never throws: private mode, a full quota or a blocked store fall back to memory.
 * @typedef {object} SafeStorage
 * @property {(key: string) => string | null} get
 * @property {(key: string, value: string) => void} set
 * @property {(key: string) => void} remove
 * @property {() => boolean} persistent  False once anything had to be kept in memory instead.
 */

/**
 * @param {() => Storage} open  Called once; may throw, as `window.localStorage` does when blocked.
 * @returns {SafeStorage}
 */
export function createSafeStorage(open) {
  /** @type {Map<string, string>} */
  const memory = new Map();
  const storage = tryOrNull(open);
  let persistent = storage !== null;

  return {
    get: (key) => memory.get(key) ?? tryOrNull(() => storage?.getItem(key) ?? null),
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
    remove(key) {
      memory.delete(key);
      tryOrNull(() => storage?.removeItem(key));
    },
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
