// Runs in a page: returns the words that a reader sees in an element, as runs in document order, and as runs of the kind
// `outside` the words beside it in the same landmark.
// A run is [blank or mark before it, text, name of its kind or '', whether the index may repeat it].
({tag, classes, nth}) => {
  const SKIPPED = new Set('SCRIPT STYLE TEMPLATE NOSCRIPT IFRAME CANVAS AUDIO VIDEO OBJECT HEAD LINK META DATALIST'.split(' '));
  const FRAME = 'nav, aside, header, footer, form, [role=navigation], [role=search], [role=contentinfo], [role=banner], [role=complementary]';
  const INLINE = /^(inline|contents|ruby)/u;
  const WORD = /[\p{L}\p{N}_]/u;
  const UNIT = {lower: (n) => String.fromCharCode(96 + n), upper: (n) => String.fromCharCode(64 + n)};
  const ROMAN = [[1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i']];
  const roman = (n) => ROMAN.reduce(([left, text], [value, letters]) => {
    const times = Math.floor(left / value);
    return [left - times * value, text + letters.repeat(times)];
  }, [n, ''])[1];
  const same = [...document.getElementsByTagName(tag)].filter((one) => (one.getAttribute('class') ?? '') === classes);
  const isUnseen = ({display, visibility, opacity}) => display === 'none' || visibility === 'hidden' || opacity === '0';
  const root = same[nth];
  if (!root) return null;

  // A reader can open details and tabs, so that their contents count as seen.
  const opened = new Set([...document.querySelectorAll('[aria-controls], [data-bs-target], [data-target], a[data-toggle], [role=tab][href]')]
    .flatMap((one) => ['aria-controls', 'data-bs-target', 'data-target', 'href'].map((name) => one.getAttribute(name)))
    .filter(Boolean).flatMap((value) => value.split(' ')).map((value) => value.replace(/^#/u, '')));
  const hasRadios = (one) => one && [...one.children].some((child) => child.matches('input[type=radio]'));
  const isPanel = (one) => {
    if (one.matches('[role=menu], [role=listbox], [role=dialog], [role=tooltip], nav, dialog, [popover]')) return false;
    const label = document.getElementById(one.getAttribute('aria-labelledby') ?? '');
    if (label?.matches('li, [role=tab], button, label') || one.getAttribute('role') === 'tabpanel' || one.hidden === 'until-found' || (one.id && opened.has(one.id))) return true;
    const parent = one.parentElement;
    return hasRadios(parent) || hasRadios(parent?.parentElement) || hasRadios(parent?.previousElementSibling);
  };
  const everything = [];
  const collect = (within) => {
    for (const one of within.querySelectorAll('*')) {
      everything.push(one);
      if (one.shadowRoot) collect(one.shadowRoot);
    }
  };
  const landmark = root.closest('main, [role=main], body') ?? root;
  collect(landmark);
  for (const one of everything) {
    if (one.tagName === 'DETAILS') one.open = true;
    else if (/^(DIV|SECTION|PRE|UL|OL|P|FIGURE|ARTICLE|TABLE)$/u.test(one.tagName)) {
      const {display, visibility} = getComputedStyle(one);
      if ((display === 'none' || visibility === 'hidden') && isPanel(one)) {
        one.hidden = false;
        one.style.setProperty('display', 'block', 'important');
        one.style.setProperty('visibility', 'visible', 'important');
        one.style.setProperty('opacity', '1', 'important');
      }
    }
  }

  const kindOf = new Map();
  for (const kind of KINDS.filter(({selector}) => selector)) {
    for (const one of everything) {
      if (!kindOf.has(one) && one.matches(kind.selector) && (kind.test?.(one) ?? true)) kindOf.set(one, kind);
    }
  }

  // Generated content: only rules with letters or digits in it, because a look at each element would double the time.
  const generating = {before: [], after: []};
  const readRules = (rules) => {
    for (const rule of rules) {
      if (rule.selectorText && /[\p{L}\p{N}]/u.test((rule.style?.content ?? '').replace(/\\[\da-f]+/giu, '').replace(/normal|none|var\([^)]*\)/gu, ''))) {
        for (const part of rule.selectorText.split(',')) {
          const found = /^(.*?)::?(before|after)\s*$/u.exec(part);
          if (found) generating[found[2]].push(found[1].trim() || '*');
        }
      }
      if (rule.cssRules?.length) readRules(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) {
    try { readRules(sheet.cssRules); } catch { /* of another site */ }
  }
  const generated = {before: new Map(), after: new Map()};
  for (const place of ['before', 'after']) {
    for (const selector of new Set(generating[place])) {
      let found = [];
      try { found = root.querySelectorAll(selector); } catch { /* a selector of another browser */ }
      for (const one of found) {
        const style = getComputedStyle(one, `::${place}`);
        const {content} = style;
        if (/^(none|normal)$/u.test(content) || isUnseen(style) || (style.overflowX === 'hidden' && parseFloat(style.width) <= 1)) continue;
        const text = content.replace(/attr\(([\w-]+)\)/gu, (_, name) => one.getAttribute(name) ?? '').replace(/counters?\([^)]*\)/gu, ' ')
          .replace(/url\([^)]*\)/gu, '').replace(/["']/gu, '').replace(/[\ue000-\uf8ff]/gu, '');
        if (WORD.test(text)) generated[place].set(one, text);
      }
    }
  }

  const runs = [];
  const nodes = [];
  let last = '';
  let lastNode = null;
  let gap = true;
  let raised = '';
  const emit = (text, node, {kind, repeated}) => {
    if (!text) return;
    let before = '';
    if (gap) before = ' ';
    else if (raised) before = raised;
    else if (WORD.test(last) && WORD.test(text[0]) && isApart(lastNode, node)) before = ' ';
    runs.push([before, text, kind, repeated]);
    nodes.push(node);
    gap = false;
    raised = '';
    last = text.at(-1);
    lastNode = node;
  };
  const emitApart = (text, node, context) => {
    gap = true;
    emit(text, node, context);
    gap = true;
  };
  const edge = (node, isEnd) => {
    if (node.nodeType !== 3) return node.getBoundingClientRect();
    const range = document.createRange();
    range.setStart(node, isEnd ? node.length - 1 : 0);
    range.setEnd(node, isEnd ? node.length : 1);
    return range.getBoundingClientRect();
  };
  // Code and links have padding and icons, but an ending after them belongs to their last word.
  const isInflected = (node, other) => {
    const inline = node.parentElement.closest('a, code, kbd, samp');
    return inline !== null && other.nodeType === 3 && other.parentElement === inline.parentElement;
  };
  const isApart = (one, other) => {
    if (!one || !other || one === other || isInflected(one, other) || isInflected(other, one)) return false;
    const [left, right] = [edge(one, true), edge(other, false)];
    if (!left.height || !right.height || left.bottom <= right.top || right.bottom <= left.top) return false;
    return Math.max(right.left - left.right, left.left - right.right) > Math.max(1.5, 0.12 * Math.min(left.height, right.height));
  };

  const formula = (one) => {
    const tex = one.querySelector('annotation[encoding="application/x-tex"]');
    if (tex) return tex.textContent;
    const math = one.tagName.toLowerCase() === 'math' ? one : one.querySelector('math');
    return math ? math.getAttribute('alttext') || mathText(math) : null;
  };
  const mathText = (one) => {
    if (one.nodeType === 3) return one.data.trim();
    const parts = [...one.childNodes].filter((child) => !/^annotation/u.test(child.localName ?? '')).map(mathText);
    const joints = {msup: '^', msub: '_', mfrac: '/', msubsup: '^'};
    const joint = joints[one.localName];
    return joint ? parts.filter(Boolean).join(joint) : parts.filter(Boolean).join(' ');
  };

  const numbers = new Map();
  const marker = (item, style) => {
    const list = item.parentElement;
    if (list?.tagName !== 'OL') return null;
    if (!numbers.has(list)) {
      const items = [...list.children].filter((child) => child.tagName === 'LI');
      numbers.set(list, list.hasAttribute('start') ? list.start : list.reversed ? items.length : 1);
    }
    const number = item.hasAttribute('value') ? item.value : numbers.get(list);
    numbers.set(list, number + (list.reversed ? -1 : 1));
    const type = style.display === 'list-item' ? style.listStyleType : 'none';
    if (type === 'none') return [String(number), 'list number'];
    let text = String(number);
    if (/(alpha|latin)$/u.test(type)) text = UNIT[type.slice(0, 5)]?.(number) ?? text;
    if (type === 'lower-roman') text = roman(number);
    if (type === 'upper-roman') text = roman(number).toUpperCase();
    if (type === 'decimal-leading-zero') text = text.padStart(2, '0');
    return text === String(number) || list.hasAttribute('type') ? [text, ''] : [`${text} ${number}`, 'list number'];
  };

  const isOutOfView = (one, style) => {
    const isAbsolute = style.position === 'absolute' || style.position === 'fixed';
    if (isAbsolute) {
      if (/^rect\((0|1px)/u.test(style.clip) || /inset\((50|100)%/u.test(style.clipPath)) return true;
      const box = one.getBoundingClientRect();
      if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return true;
    }
    if (style.overflowX === 'hidden' && parseFloat(style.width) <= 1 && parseFloat(style.height) <= 1) return true;
    return parseFloat(style.textIndent) <= -999;
  };
  const isClear = (color) => /^rgba\(.*, 0\)$/u.test(color);

  const walkText = (node, context) => {
    if (!context.shown) return;
    const text = node.data;
    if (!text.trim()) {
      if (text) gap = true;
      return;
    }
    if (/^\s/u.test(text)) gap = true;
    emit(text, node, context);
  };
  const walkChildren = (one, context) => {
    const children = one.shadowRoot ? one.shadowRoot.childNodes : one.tagName === 'SLOT' ? slotted(one) : one.childNodes;
    for (const child of children) {
      if (child.nodeType === 3) walkText(child, context);
      else if (child.nodeType === 1) walk(child, context);
    }
  };
  const slotted = (slot) => {
    const assigned = slot.assignedNodes({flatten: true});
    return assigned.length ? assigned : slot.childNodes;
  };
  const control = (one, context) => {
    if (one.tagName === 'SELECT') emitApart(one.selectedOptions[0]?.textContent ?? '', one, context);
    else if (one.tagName === 'TEXTAREA') emitApart(one.value, one, context);
    else if (!/^(hidden|checkbox|radio|range|color|file|password|image)$/u.test(one.type)) emitApart(one.value, one, context);
  };
  const isRepeatedAround = (one, text) => {
    const outer = one.closest('a, button, figure, h1, h2, h3, h4, h5, h6');
    return outer !== null && outer.textContent.toLowerCase().includes(text.toLowerCase());
  };
  // Text for screen readers is the alternative of a picture if it stands beside nothing else.
  const describesPicture = (one) => {
    const parent = one.parentElement;
    return parent.querySelector('img, svg, i') !== null && parent.textContent.trim() === one.textContent.trim();
  };
  const picture = (one, context) => {
    const text = one.getAttribute('alt')?.trim();
    if (!text || one.getAttribute('aria-hidden') === 'true' || /^(presentation|none)$/u.test(one.getAttribute('role') ?? '')) return;
    if (isRepeatedAround(one, text)) return;
    const pictures = [...one.parentElement.children].filter((other) => other.getAttribute('alt')?.trim() === text);
    emitApart(text, one, {...context, repeated: context.repeated || pictures.length > 1});
  };
  const ruby = (one, context) => {
    const isNote = (part) => part.closest?.('rt, rp');
    const parts = [...one.childNodes];
    emit(parts.filter((part) => !isNote(part)).map((part) => part.textContent).join(''), one, context);
    emitApart([...one.querySelectorAll('rt')].map((part) => part.textContent).join(''), one, context);
    gap = false;
  };

  const walk = (one, outer) => {
    if (SKIPPED.has(one.tagName)) return;
    if (outer.kind === 'outside' && (kindOf.has(one) || one.matches(FRAME)) && !one.contains(root)) return;
    const style = getComputedStyle(one);
    if (style.display === 'none' || style.opacity === '0') return;
    if (isOutOfView(one, style) && !describesPicture(one)) return;
    const kind = one === root ? '' : outer.kind || (kindOf.get(one)?.name ?? '');
    const background = style.backgroundImage !== 'none' ? null : isClear(style.backgroundColor) ? outer.background : style.backgroundColor;
    const color = one.ownerSVGElement ? style.fill : style.color;
    const isInvisible = (isClear(color) && style.webkitBackgroundClip !== 'text') || (background && color === background);
    const shown = style.visibility === 'visible' && parseFloat(style.fontSize) > 0 && !isInvisible;
    const repeated = outer.repeated || kindOf.get(one)?.repeats || one.tagName === 'TH' || one.rowSpan > 1 || one.getAttribute('role') === 'tab' || one.tagName === 'SUMMARY' || one.control?.type === 'radio';
    const context = {kind, background, shown, repeated};
    const isApartByKind = kind !== outer.kind;
    const isBlock = !INLINE.test(style.display);
    const isLabel = one.matches('[role=tab], label');
    if (isBlock || isApartByKind || isLabel || one.tagName === 'BR') gap = true;
    const name = one.localName;
    if (name === 'img' || (name === 'svg' && one.hasAttribute('alt'))) return void (shown && picture(one, context));
    if (/^(input|select|textarea)$/u.test(name)) return void (shown && control(one, context));
    if (name === 'math' || name === 'mjx-container' || one.classList.contains('katex')) {
      const text = formula(one);
      if (text !== null) return void (shown && emitApart(text, one, context));
    }
    if (name === 'ruby') return void (shown && ruby(one, context));
    if (name === 'svg') {
      if (one.getAttribute('aria-hidden') === 'true') return;
      const label = one.getAttribute('aria-label') || one.querySelector(':scope > title')?.textContent;
      if (label && shown && !isRepeatedAround(one, label.trim())) emitApart(label.trim(), one, context);
    }
    if (!one.childNodes.length && style.display.startsWith('inline') && !/^(a|button)$/u.test(name)) {
      const label = one.getAttribute('aria-label') || one.getAttribute('title'); // An icon.
      if (label && shown) return void emitApart(label, one, context);
    }
    if (name === 'title' && one.namespaceURI.endsWith('svg')) return;
    if (one.getAttribute('role') === 'img' && name !== 'svg' && one.getAttribute('aria-label')) return void emitApart(one.getAttribute('aria-label'), one, context);
    if (name === 'li') {
      const found = marker(one, style);
      if (found && shown) emitApart(`${found[0]}.`, one, {...context, kind: kind || found[1]});
    }
    if (generated.before.has(one)) emitApart(generated.before.get(one), one, {...context, kind: 'generated text'});
    if (/^su[bp]$/u.test(name) && /^(\[|\p{L}{3})/u.test(one.textContent.trim())) gap = true; // A remark, such as "beta".
    if (/^su[bp]$/u.test(name) && !kind && !gap && /[\p{L}\p{N})\]]/u.test(last)) raised = name === 'sup' ? '^' : '_';
    const isGroup = raised && !/^[-+]?[\p{L}\p{N}]+$/u.test(one.textContent.trim());
    if (isGroup) raised += '{';
    walkChildren(one, context);
    if (isGroup && !raised) runs.push(['', '}', kind, repeated]), nodes.push(one);
    if (generated.after.has(one)) emitApart(generated.after.get(one), one, {...context, kind: 'generated text'});
    raised = '';
    if (isBlock || isApartByKind || isLabel) gap = true;
  };
  walk(landmark, {kind: 'outside', background: 'rgb(255, 255, 255)', shown: true, repeated: false});
  window.pinciteSeen = nodes;
  return runs;
}
