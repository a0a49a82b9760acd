import { h } from '../dom.js';

/**
 * Return the nodes of a text whose `{list}` is filled in with quoted texts. Each one is isolated and has its own direction.
 * @param {import('../core/i18n.js').Translate} t
 * @param {import('../core/i18n.js').StringKey} key
 * @param {string[]} texts
 * @returns {(Node | string | false)[]}
 */
export function quotedList(t, key, texts) {
  const [before, after] = t(key, { list: '\n' }).split('\n');
  return [before, ...texts.flatMap((text, place) => [place > 0 && ' · ', h('bdi', { dir: 'auto' }, text)]), after ?? false];
}
