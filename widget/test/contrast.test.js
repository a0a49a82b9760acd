import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contrast, ensureContrast, mix, readColor, writeColor } from '../src/core/contrast.js';

const WHITE = [255, 255, 255];

test('contrast is that of WCAG', () => {
  assert.equal(contrast([0, 0, 0], WHITE), 21);
  assert.equal(contrast(WHITE, WHITE), 1);
  assert.equal(contrast([118, 118, 118], WHITE).toFixed(2), '4.54'); // The lightest grey that passes on white.
  assert.ok(contrast([119, 119, 119], WHITE) < 4.5);
});

test('a readable colour stays as it is', () => {
  assert.deepEqual(ensureContrast([0, 0, 159], [246, 248, 250]), [0, 0, 159]);
});

for (const [what, color, ground] of /** @type {[string, number[], number[]][]} */ ([
  ["a pale comment on a light ground (Docusaurus's usual theme)", [153, 153, 136], [246, 248, 250]],
  ['a dark comment on a dark ground', [98, 114, 164], [40, 42, 54]],
  ['a colour that is its own ground', [128, 128, 128], [128, 128, 128]],
])) {
  test(`${what} is mixed until it can be read`, () => {
    const shown = ensureContrast(color, ground).map(Math.round);
    assert.ok(contrast(shown, ground) >= 4.5, `${shown}`);
  });
}

test('a colour is changed only until it is readable', () => {
  const shown = ensureContrast([153, 153, 136], WHITE);
  assert.ok(contrast(shown, WHITE) < 5);
});

test('colours are read and written as browsers do', () => {
  assert.deepEqual(readColor('rgb(1, 2, 3)'), { rgb: [1, 2, 3], alpha: 1 });
  assert.deepEqual(readColor('rgba(1, 2, 3, 0.5)'), { rgb: [1, 2, 3], alpha: 0.5 });
  assert.equal(readColor('oklch(0.5 0.1 20)'), null);
  assert.equal(writeColor(mix([0, 0, 0], [10, 10, 11], 0.5)), 'rgb(5, 5, 6)');
});
