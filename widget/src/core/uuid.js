/** A random UUID (version 4). `crypto.randomUUID` asks for a secure context, which a page on plain http is not. */
export function uuid() {
  return '10000000-1000-4000-8000-100000000000'.replace(/[018]/gu, (digit) => (
    (Number(digit) ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (Number(digit) / 4)))).toString(16)));
}
