import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installDom } from './support/dom.js';

installDom();
const { createMarkdown, plainText } = await import('../src/chat/markdown.js');

/**
 * @param {string} markdown
 * @param {number} [size]  Characters in each chunk.
 */
function render(markdown, size = Infinity) {
  const root = document.createElement('div');
  const stream = createMarkdown(root, (n) => Object.assign(document.createElement('sup'), { className: 'cite', textContent: `${n}` }));
  for (let at = 0; at < markdown.length; at += size) stream.write(markdown.slice(at, at + size));
  stream.end();
  return root;
}

const html = (/** @type {string} */ markdown) => render(markdown).innerHTML;

/** Markdown that the sidecar escapes, and the text that it shows. */
const QUOTED = [
  ['Set \\_\\_init\\_\\_ and snake\\_case\\_name or snake_case_name.', 'Set __init__ and snake_case_name or snake_case_name.'],
  ['A \\*star\\*, \\[brackets\\](x), \\<div\\>, \\~\\~no\\~\\~, \\`tick\\` and C:\\\\dir.', 'A *star*, [brackets](x), <div>, ~~no~~, `tick` and C:\\dir.'],
  ['Write &amp;lt; for a less-than sign & go on.', 'Write &lt; for a less-than sign & go on.'],
  ['Put $HOME before $PATH, it costs $5.', 'Put $HOME before $PATH, it costs $5.'],
  ['The `$X_Y_Z` and ``a ` b`` and `&amp;` stay.', 'The $X_Y_Z and a ` b and &amp; stay.'],
  ['Pass **kwargs and *args to it', 'Pass **kwargs and *args to it'],
  ['An array a[0], an [optional] part, a [broken one', 'An array a[0], an [optional] part, a [broken one'],
  ['Go to https://example.com/a_b_c?x=1 now', 'Go to https://example.com/a_b_c?x=1 now'],
  ['Not a formula: f\\(x\\) and \\\\(x\\\\)', 'Not a formula: f(x) and \\(x\\)'],
  ['Less &lt;b&gt; &quot;q&quot; &#39;s&#39; R&D AT&T;', 'Less <b> "q" \'s\' R&D AT&T;'],
];

for (const [markdown, text] of QUOTED) {
  test(`${markdown} reads as the docs do, however it is split`, () => {
    for (const size of [Infinity, 1, 2, 5]) assert.equal(plainText(render(markdown, size)), text);
  });
}

test('structure is rendered: emphasis, lists, code, tables', () => {
  assert.equal(html('**a** _b_ `c`'), '<p><strong>a</strong> <em>b</em> <code dir="ltr">c</code></p>');
  assert.equal(html('- a\n- b'), '<ul><li>a</li><li>b</li></ul>');
  assert.match(html('```yaml\na: $B_C_D\n```'), /<pre [^>]*><code tabindex="0" data-language="yaml">a: \$B_C_D<\/code><\/pre>/u);
  assert.match(html('| a | b |\n|---|---|\n| 1 | x_y_z |\n'), /<th> a <\/th><th> b <\/th><\/tr><tr><td> 1 <\/td><td> x_y_z <\/td>/u);
});

test('citation markers become chips, one by one, in text and after code', () => {
  const numbers = (/** @type {string} */ markdown) => [...render(markdown).querySelectorAll('.cite')].map((chip) => chip.textContent);
  assert.deepEqual(numbers('One. [1] Two.[2][3] Three [1, 4].'), ['1', '2', '3', '1', '4']);
  assert.deepEqual(numbers('```\ncode\n```\n[2]'), ['2']);
  assert.deepEqual(numbers('- an item [1]\n- another [2]'), ['1', '2']);
  assert.deepEqual(numbers('`list[1]` and a[0]'), []);
});

test('nodes are only appended while text streams in', () => {
  const root = document.createElement('div');
  const stream = createMarkdown(root, () => document.createElement('sup'));
  stream.write('First **bold** `code`\n\nSec');
  const before = [...root.querySelectorAll('*')];
  stream.write('ond [link](/kit/x) [1]\n\n```\ncode\n```\n');
  stream.end();
  assert.deepEqual([...root.querySelectorAll('*')].slice(0, before.length), before);
});

test('a link goes within the page\'s own origin, everything else is its text', () => {
  assert.equal(html('[a](/kit/b_c_d)'), '<p><a href="https://docs.example.com/kit/b_c_d">a</a></p>');
  assert.doesNotMatch(html('[a](javascript:alert`1`)'), /href/u);
  assert.equal(html('[a](//evil.example/b) [c](https://evil.example/d)'), '<p>a c</p>');
});

const ATTACKS = [
  '<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '<svg/onload=alert(1)>', '<iframe srcdoc="<script>alert(1)</script>">',
  '[x](javascript:alert(1))', '[x](JaVaScRiPt:alert(1))', '[x](java\tscript:alert(1))', '[x]( javascript:alert(1))', '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:alert(1))', '![x](javascript:alert(1))', '![x](https://tracker.example/p.png)', '<a href="javascript:alert(1)">x</a>',
  '```"><script>alert(1)</script>\nx\n```', '`<img src=x onerror=alert(1)>`', '| <img src=x onerror=alert(1)> |\n|---|\n', '<br onload=alert(1)>',
  '[a](https://x" onmouseover="alert(1))', '&lt;script&gt;alert(1)&lt;/script&gt;', '[<img src=x onerror=alert(1)>](/x)', '<style>*{display:none}</style>',
  '$$<img src=x onerror=alert(1)>$$', '\\[<script>alert(1)</script>\\]', '# <form action=//evil><input name=x>', '<math><mtext><img src=x onerror=alert(1)>',
];
const SAFE_ELEMENTS = /^(?:P|H[3456]|BR|HR|EM|STRONG|S|CODE|PRE|UL|OL|LI|DIV|TABLE|TR|T[HD]|A|SPAN|BLOCKQUOTE|SUP)$/u;
const SAFE_ATTRIBUTES = /^(?:href|class|tabindex|dir|start|data-language)$/u;

for (const attack of ATTACKS) {
  test(`${JSON.stringify(attack)} stays text`, () => {
    for (const size of [Infinity, 1, 3]) {
      for (const element of render(attack, size).querySelectorAll('*')) {
        assert.match(element.tagName, SAFE_ELEMENTS);
        for (const { name, value } of element.attributes) {
          assert.match(name, SAFE_ATTRIBUTES);
          if (name === 'href') assert.match(value, /^https:\/\/docs\.example\.com\//u);
        }
      }
    }
  });
}

test('the plain text of an answer has its lines and no markup, markers or buttons', () => {
  const root = render('First **one**. [1]\n\n- a [2]\n- b\n\n```\nx = 1\ny = 2\n```\n');
  root.querySelector('pre')?.append(document.createElement('button'));
  assert.equal(plainText(root), 'First one.\n\n- a\n- b\nx = 1\ny = 2');
});

test('items keep the numbers that are written, with gaps, backwards and over again', () => {
  const numbers = (/** @type {string} */ markdown) => [...render(markdown).querySelectorAll('li')].map((item) => item.getAttribute('value'));
  assert.deepEqual(numbers('3. Fill\n7. Light\n2. Trim\n1. Carry'), ['3', '7', '2', '1']);
  assert.deepEqual(numbers('1. Fill\n1. Light\n1. Trim'), [null, null, null], 'a list of ones counts by itself');
  assert.equal(plainText(render('1. Fill\n3. Light [2]')), '- Fill\n3. Light');
});

test('a mark that Markdown does not have replaces the bullet', () => {
  for (const mark of ['c.', 'B.', 'xiv.', '01\\.', '\\-3.', 'α.']) {
    for (const size of [Infinity, 1]) {
      const item = render(`- ${mark} Trim the wick\n- Light it`, size).querySelectorAll('li');
      assert.deepEqual([...item].map((one) => [one.className, one.textContent]), [['own-mark', `${mark.replace('\\', '')} Trim the wick`], ['', 'Light it']]);
    }
  }
  for (const text of ['e.g. a lamp', 'No. 5', 'Trim. Light.']) assert.equal(render(`- ${text}`).querySelector('li')?.className, '');
});

test('the state of a task is a sign before its text', () => {
  assert.equal(html('- [x] Fill\n- [ ] Trim').replaceAll(/<\/?span>/gu, ''), '<ul><li>☑  Fill</li><li>☐  Trim</li></ul>');
});
