// Returns the words that a reader sees in an element, as runs in document order, and as runs of the kind `outside` the
// words beside it in the same landmark. A run is [blank or mark before it, text, name of its kind or '', whether the index
// may repeat it].
const SKIPPED = new Set('SCRIPT STYLE TEMPLATE NOSCRIPT IFRAME CANVAS AUDIO VIDEO OBJECT HEAD LINK META DATALIST'.split(' '));
const FRAME =
  'nav, aside, header, footer, form, [role=navigation], [role=search], [role=contentinfo], [role=banner], [role=complementary]';
const SOFT = '\u200a'; // The index may join words here.
const WORD = /[\p{L}\p{N}_]/u;

const rootsIn = (within) => {
  const hosts = [...within.querySelectorAll('*')].filter((one) => one.shadowRoot);
  return [within, ...hosts.flatMap((one) => rootsIn(one.shadowRoot))];
};
const kindsOf = (roots) => {
  const kinds = new Map();
  for (const kind of KINDS.filter(({selector}) => selector)) {
    for (const one of roots.flatMap((within) => [...within.querySelectorAll(kind.selector)])) {
      if (!kinds.has(one) && (kind.test?.(one) ?? true)) kinds.set(one, kind);
    }
  }
  return kinds;
};

// The runs so far: texts without a blank or a gap between them belong to one word.
const createRuns = () => {
  const [runs, nodes] = [[], []];
  let [last, lastNode, gap, mark] = ['', null, true, ''];
  const push = (before, text, node, {kind, repeated}) => {
    runs.push([before, text, kind, repeated]);
    nodes.push(node);
  };
  const between = (text, node) => {
    if (!WORD.test(last) || !WORD.test(text[0])) return '';
    if (isEdgeOfCode(lastNode, node)) return SOFT;
    return isApart(lastNode, node) ? ' ' : '';
  };
  const emit = (text, node, context) => {
    if (!text) return;
    push(gap ? ' ' : mark || between(text, node), text, node, context);
    [last, lastNode, gap, mark] = [text.at(-1), node, false, ''];
  };
  return {
    runs,
    nodes,
    emit,
    part: () => void (gap = true),
    emitApart: (text, node, context) => {
      gap = true;
      emit(text, node, context);
      gap = true;
    },
    // Raise or lower what `read` emits: 10^6, V_max, x^{n+1}.
    raise: (one, context, read) => {
      const text = one.textContent.trim();
      if (one.localName === 'sup' && /^(\[|\p{L}{3})/u.test(text)) gap = true; // A remark, such as "beta".
      const isScript = HAS_LETTERS.test(text) && !context.kind && !gap && /[\p{L}\p{N})\]]/u.test(last);
      const isGroup = isScript && !/^[-+]?[\p{L}\p{N}]+$/u.test(text);
      if (isScript) mark = (one.localName === 'sup' ? '^' : '_') + (isGroup ? '{' : '');
      read();
      if (isGroup && !mark) push('', '}', one, context);
      mark = '';
    },
  };
};

const seenIn = (root) => {
  const landmark = root.closest('main, [role=main], body') ?? root;
  const roots = rootsIn(landmark);
  openPanels(roots);
  const kinds = kindsOf(roots);
  const generated = generatedText(root);
  const labels = new Set([...document.querySelectorAll('div[aria-labelledby]')].map((one) => one.getAttribute('aria-labelledby')));
  const markerOf = createMarkers();
  const {runs, nodes, emit, emitApart, part, raise} = createRuns();

  const walkText = (node, context) => {
    if (!context.shown || !node.data) return;
    if (/^\s/u.test(node.data)) part();
    if (node.data.trim()) emit(node.data, node, context);
  };
  const childrenOf = (one) => {
    if (one.shadowRoot) return one.shadowRoot.childNodes;
    const assigned = one.localName === 'slot' ? one.assignedNodes({flatten: true}) : [];
    return assigned.length ? assigned : one.childNodes;
  };
  const walkChildren = (one, context) => {
    for (const child of childrenOf(one)) {
      if (child.nodeType === 3) walkText(child, context);
      else if (child.nodeType === 1) walk(child, context);
    }
  };
  const walkRuby = (one, context) => {
    const base = [...one.childNodes].filter((child) => !/^(rt|rp)$/u.test(child.localName ?? ''));
    emit(base.map((child) => child.textContent).join(''), one, context);
    emitApart([...one.querySelectorAll('rt')].map((note) => note.textContent).join(''), one, context);
  };
  const walkMarks = (one, style, context) => {
    const marker = one.localName === 'li' ? markerOf(one, style) : null;
    if (marker && context.shown) emitApart(`${marker[0]}.`, one, {...context, kind: context.kind || marker[1]});
    const label = one.localName === 'svg' ? pictureText(one) : '';
    if (label && context.shown) emitApart(label, one, context);
  };
  const walkWords = (one, style, context) => {
    const alternative = alternativeOf(one, style);
    if (alternative !== null) {
      const repeated = context.repeated || isRepeatedBeside(one);
      if (alternative && context.shown) emitApart(alternative, one, {...context, repeated});
      return;
    }
    if (one.localName === 'ruby') return void (context.shown && walkRuby(one, context));
    walkMarks(one, style, context);
    const aside = {...context, kind: 'generated text'};
    if (generated.before.has(one)) emitApart(generated.before.get(one), one, aside);
    if (/^su[bp]$/u.test(one.localName)) raise(one, context, () => walkChildren(one, context));
    else walkChildren(one, context);
    if (generated.after.has(one)) emitApart(generated.after.get(one), one, aside);
  };
  const contextOf = (one, style, outer) => {
    const kind = kinds.get(one);
    const background = backgroundOf(style, outer.background);
    const isShown = style.visibility === 'visible' && parseFloat(style.fontSize) > 0 && isColoured(one, style, background);
    const isLabel = labels.has(one.id) || one.tagName === 'TH' || one.rowSpan > 1 || one.matches('summary, [role=tab], [role=columnheader], .table-header') || one.control?.type === 'radio';
    return {
      kind: one === root ? '' : outer.kind || (kind?.name ?? ''),
      background,
      shown: isShown,
      repeated: outer.repeated || kind?.repeats || isLabel,
    };
  };
  const isSkipped = (one, outer) => {
    if (SKIPPED.has(one.tagName) || (one.localName === 'title' && one.ownerSVGElement)) return true;
    return outer.kind === 'outside' && (kinds.has(one) || one.matches(FRAME)) && !one.contains(root);
  };
  const walk = (one, outer) => {
    if (isSkipped(one, outer)) return;
    const style = getComputedStyle(one);
    if (style.display === 'none' || style.opacity === '0') return;
    if ((isOutOfView(one, style) && !describesPicture(one)) || (one.localName === 'svg' && isDecoration(one))) return;
    const context = contextOf(one, style, outer);
    const isSplit = !INLINE.test(style.display) || context.kind !== outer.kind || one.matches('br, [role=tab], label');
    if (isSplit) part();
    walkWords(one, style, context);
    if (isSplit) part();
  };
  walk(landmark, {kind: 'outside', background: backgroundAround(landmark.parentElement), shown: true, repeated: false});
  window.pinciteSeen = nodes;
  return runs;
};
const readPage = ({tag, classes, nth}) => {
  const equal = [...document.getElementsByTagName(tag)].filter((one) => (one.getAttribute('class') ?? '') === classes);
  return equal[nth] ? seenIn(equal[nth]) : null;
};
