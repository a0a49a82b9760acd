/** @returns {Storage} A Web Storage over a map. */
export function fakeStorage() {
  const map = new Map();
  return /** @type {any} */ ({
    getItem: (/** @type {string} */ key) => map.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => { map.set(key, value); },
    removeItem: (/** @type {string} */ key) => { map.delete(key); },
  });
}
