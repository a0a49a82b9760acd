/**
 * Make selections as readers do, for bench/selections.py. Each function returns whether the page has the needed elements.
 * The browser decides which text is selected. `random` returns numbers from 0 to 1.
 */
(() => {
  const HEADINGS = 'h2, h3, h4';
  const NOTES = '.theme-admonition, .admonition, .alert, .custom-block, blockquote';
  const TABS = '.tabs-container, .tabbed-set, .sphinx-tabs, [class*=tabsContainer]';
  const CODE = '[class*=codeBlockContainer], div.highlight, pre';

  const root = () => document.querySelector('article') ?? document.querySelector('[role=main], main') ?? document.body;
  const all = (selector) => [...root().querySelectorAll(selector)].filter((one) => one.innerText?.trim());
  const pick = (list, random) => list[Math.floor(random() * list.length)];

  /** Return the place after a number of characters of an element's text. */
  const into = (element, share) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let left = Math.floor(element.textContent.length * share);
    let node = walker.nextNode();
    for (let next = node; next; next = walker.nextNode()) {
      node = next;
      if (left <= next.data.length) break;
      left -= next.data.length;
    }
    return node && [node, Math.min(left, node.data.length)];
  };

  const select = (start, end) => {
    if (!start || !end) return false;
    getSelection().setBaseAndExtent(...start, ...end);
    return true;
  };
  const whole = (element) => {
    if (!element) return false;
    getSelection().selectAllChildren(element);
    return true;
  };
  const between = (first, last) => first && last && select(into(first, 0), into(last, 1));

  const kinds = {
    /** From a word to the end of a sentence. */
    sentence(random) {
      const paragraph = pick(all('p').filter((one) => one.innerText.length > 80), random);
      if (!paragraph || !select(into(paragraph, 0), into(paragraph, 0))) return false;
      getSelection().modify('extend', 'forward', 'sentence');
      if (getSelection().toString().length < 50) getSelection().modify('extend', 'forward', 'sentence');
      return true;
    },
    /** Two paragraphs and the elements between them. */
    paragraphs(random) {
      const list = all('p');
      const number = Math.floor(random() * (list.length - 1));
      return between(list[number], list[number + 1]);
    },
    list: (random) => whole(pick(all('ul, ol'), random)),
    /** A code block with its title, from the line before it. */
    code(random) {
      const block = pick(all(CODE), random);
      const before = block?.previousElementSibling;
      return block && select(into(before ?? block, before ? 0.5 : 0), into(block, 1));
    },
    note: (random) => whole(pick(all(NOTES), random)),
    rows(random) {
      const rows = [...(pick(all('table'), random)?.rows ?? [])];
      const first = Math.floor(random() * rows.length * 0.7);
      return between(rows[first], rows[Math.min(rows.length - 1, first + 3)]);
    },
    /** From the middle of a heading into the text below the next. */
    sections(random) {
      const list = all(HEADINGS);
      const number = Math.floor(random() * (list.length - 1));
      const below = list[number + 1]?.nextElementSibling;
      return below && select(into(list[number], 0.5), into(below, 0.5));
    },
    tabs(random) {
      const tabs = pick(all(TABS), random);
      const before = tabs?.previousElementSibling;
      return tabs && select(into(before ?? tabs, 0), into(tabs, 1));
    },
    /** The page's last paragraph and text after the content: a drag that goes too far. */
    ending() {
      const last = all('p, li').at(-1);
      if (!last || !select(into(last, 0), into(last, 1))) return false;
      for (let line = 0; line < 3; line += 1) getSelection().modify('extend', 'forward', 'line');
      return true;
    },
    /** Some lines selected with the keyboard, from the middle of a paragraph. */
    lines(random) {
      const paragraph = pick(all('p, li'), random);
      if (!paragraph || !select(into(paragraph, 0.3), into(paragraph, 0.3))) return false;
      for (let line = 0; line < 8; line += 1) getSelection().modify('extend', 'forward', 'line');
      return true;
    },
  };

  /** Return the points of mouse down and mouse up: in a paragraph and in a block further down, both in the window. */
  const drag = (random) => {
    const first = pick(all('p').filter((one) => one.getClientRects().length), random);
    first?.scrollIntoView({ block: 'start', behavior: 'instant' });
    scrollBy({ top: -120, behavior: 'instant' });
    const from = first?.getBoundingClientRect();
    const blocks = all('p, li, pre, td, h2, h3').map((one) => one.getBoundingClientRect());
    const below = blocks.filter((box) => from && box.top > from.bottom && box.bottom < innerHeight - 20 && box.height > 8);
    const to = pick(below, random) ?? from;
    return from && { from: [from.left + 3, from.top + 8], to: [to.left + to.width / 2, to.bottom - 6] };
  };

  window.selections = { names: [...Object.keys(kinds), 'drag'], kinds, drag };
})();
