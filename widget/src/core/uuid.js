/** Return a random UUID (version 4). `crypto.randomUUID` needs a secure context; a page on plain http has none. */
export function uuid() {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/gu, (digit) => (
    (Number(digit) ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (Number(digit) / 4)))).toString(16)));
}
