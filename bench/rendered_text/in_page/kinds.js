// The text that a page may show and an index may lack: each kind has a name, a reason, and the structure by which a
// browser recognises it, a selector and a test. The first kind that matches an element counts. `repeats` says that the
// text only repeats other text of the page.
const TITLES = 'h1, h2, h3, h4, h5, h6, dt, summary, caption, figcaption';
const firstText = (one) => {
  const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) if (texts.currentNode.data.trim()) return texts.currentNode.data.trim();
  return '';
};
const lettersOf = (one) => one.textContent.replace(/[^\p{L}\p{N}]/gu, '');
const isOwnLine = (one) => {
  const block = one.parentElement.closest('p, li, td, dd, div, section, footer, header, article');
  return !block || lettersOf(block).length <= lettersOf(one).length + 5;
};
const isAmidWords = (one, heading) => {
  const [before, after] = [document.createRange(), document.createRange()];
  before.setStart(heading, 0);
  before.setEndBefore(one);
  after.setStartAfter(one);
  after.setEnd(heading, heading.childNodes.length);
  return [before, after].every((range) => range.toString().trim() !== '');
};
const isInSentence = (one) => {
  for (let parent = one.parentElement; parent; parent = parent.parentElement) {
    if ([...parent.childNodes].some((node) => node.nodeType === 3 && /[\p{L}\p{N}]/u.test(node.data))) return true;
    if (!getComputedStyle(parent).display.startsWith('inline')) return false;
  }
  return false;
};
const opensText = (one) => {
  const names = ['aria-controls', 'data-bs-target', 'data-target'].map((name) => one.getAttribute(name));
  if (!one.matches('[aria-expanded], [data-bs-toggle], [data-toggle]') && !names.some(Boolean)) return false;
  const name = names.find(Boolean);
  const panel = name ? document.getElementById(name.replace(/^#/u, '')) : one.nextElementSibling;
  return panel !== null && !panel.matches('ul, nav, dialog, [role=menu], [role=listbox], [role=dialog]');
};
const sharesPanel = (one) => {
  const panels = [...one.parentElement.children].map((tab) => tab.getAttribute('aria-controls'));
  return panels.length > 1 && new Set(panels).size === 1;
};
const isContents = (one) => {
  if (!one.matches('ul, ol, dl, div, nav, section, details')) return false;
  const [links, titles] = ['a', 'h2, h3, h4, h5'].map((selector) => [...one.querySelectorAll(selector)]);
  const fewest = one.matches('section, details') && titles.length > 0 ? 1 : 2;
  if (links.length < fewest || !links.every((link) => link.hash && link.pathname === location.pathname)) return false;
  const [linked, titled] = [links, titles].map((parts) => parts.reduce((sum, part) => sum + lettersOf(part).length, 0));
  return linked >= 0.9 * (lettersOf(one).length - titled);
};
const labelOf = (one) =>
  one.getAttribute('alt') ?? one.getAttribute('aria-label') ?? one.getAttribute('title') ?? one.querySelector(':scope > title')?.textContent ?? '';
const KINDS = [
  {
    name: 'withheld',
    reason: 'The author keeps this part out of search.',
    selector:
      '[data-pagefind-ignore], [data-search-exclude], [data-nosnippet], [data-noindex], [data-no-index], [data-docsearch-ignore]',
  },
  {
    name: 'heading link',
    reason: 'A link beside a heading to the heading itself.',
    selector: ':is(h1, h2, h3, h4, h5, h6, dt, caption, figcaption, section, div) > a[href*="#"], :is(h1, h2, h3, h4, h5, h6) a[href*="#"]',
    test: (one) => {
      const target = document.getElementById(decodeURIComponent(one.hash.slice(1)));
      const heading = one.closest(TITLES) ?? one.parentElement;
      const isOwn = target && (target.contains(heading) || heading.contains(target)) && !isAmidWords(one, heading);
      return isOwn && one.pathname === location.pathname && lettersOf(one).length < Math.max(1, lettersOf(heading).length);
    },
  },
  {
    name: 'source link',
    reason: "A link in a line of its own, or beside a heading, to the page's source or to an issue about it.",
    selector:
      'a[rel~=edit], a:is([href*="/edit/"], [href*="/blob/"], [href*="/tree/"], [href*="/raw/"], [href*="/issues/new"]), ' +
      'a:is([href*="_sources/"], [href*="_modules/"], [href*="/src/"])',
    test: (one) => isOwnLine(one) || (one.closest(TITLES) !== null && /^\W?(source|src)\W?$/iu.test(one.textContent.trim())),
  },
  {
    name: 'navigation',
    reason: 'Menus, breadcrumbs, version notices, links to the previous and next page, and the footer of the page.',
    selector:
      'nav, [role=navigation], [role=search], [role=toolbar], [role=menu], [role=contentinfo], footer, a[rel~=prev], a[rel~=next], ' +
      '[class*=breadcrumb i], [class*=pagination i], [class*=prev-next i], [class*=version-b], .navheader, .navfooter, #titlearea, .navelem, .header > .summary, address, #footer, .footer, .navigation, [class*=sidebar i], ' +
      'table[class*=navigation i], p:has(> a:is([rel=prev], [rel=next], [rel=up])), a',
    test: (one) => one.localName !== 'a' || /^(prev|next)/u.test(one.rel) || /^([←«‹]\s*\S+|\S+\s*[→»›])$/u.test(one.textContent.trim()),
  },
  {
    name: 'table of contents',
    reason: "A list of links to the page's own headings, with the headings' words, and the list's title.",
    repeats: true,
    selector: 'ul, ol, dl, div:has(> a + a), section, details, h2, h3, h4',
    test: (one) => (one.matches('h2, h3, h4') ? one.nextElementSibling !== null && isContents(one.nextElementSibling) : isContents(one)),
  },
  {
    name: 'badge in heading',
    reason: 'A label on a heading, or in the line of it, that tells its state, not its name.',
    selector:
      ':is(h1, h2, h3, h4, h5, h6) :is([class*=badge i], [class*=label i], .overload), .ingroups, ' +
      ':is(section, div) > span:has(~ :is(h2, h3, h4, h5)), :is(section, div) > :is(h1, h2, h3, h4, h5) ~ span',
  },
  {
    name: 'control',
    reason: 'A form, or a control that stands for itself: not in a sentence or heading, and without a text that it opens.',
    selector: 'form, div[onclick], .dynheader, [class*=feedback i], [role=tablist] > [aria-controls], [role=tab], button, input, select, textarea, [role=button]',
    test: (one) => {
      if (one.matches('form, [class*=feedback i]')) return one.querySelector('h1, h2, pre, table') === null;
      if (one.matches('[role=tab]:is(:disabled, .disabled)')) return true;
      if (one.matches('[role=tablist] > *')) return sharesPanel(one); // Tabs have a panel each; filters of a table share one.
      return !isInSentence(one) && !one.closest(`${TITLES}, [role=tab], [role=tablist]`) && !opensText(one);
    },
  },
  {
    name: 'code label',
    reason: 'The language of code, or the word of a control beside it.',
    selector: '[class*=copy i], [class*=lang]',
    test: (one) => {
      if (one.matches('pre, code') || one.querySelector('pre, code') || one.closest('p')) return false;
      const frame = one.closest('pre, figure') ?? one.parentElement;
      const isBeside = frame.matches('pre') || frame.querySelector(':scope > pre, :scope > div > pre') !== null;
      return isBeside && one.textContent.trim().split(/\s+/u).length <= 4;
    },
  },
  {
    name: 'code margin',
    reason: 'What nobody types: the number or the prompt before a line of code, and lines that a change removes.',
    selector: 'td, th, pre, pre :is(span, a, div), code span, span[class*=line i], div',
    test: (one) => {
      if (one.matches('pre .gp, pre [class*=prompt i], pre .diff.remove')) return true;
      if (!/^\d/u.test(firstText(one))) return false; // Quick, because the text of every `div` would be long.
      const text = one.textContent.trim();
      if (!/^\d+(\s+\d+)*$/u.test(text)) return false;
      const numbers = text.split(/\s+/u).map(Number);
      if (!numbers.every((number, place) => place === 0 || number === numbers[place - 1] + 1)) return false;
      const names = /(^|[ _-])(linenos?|ln|lnt|line-?num)/iu;
      if (getComputedStyle(one).userSelect === 'none' || names.test(one.className)) return true;
      const table = one.closest('table');
      if (one.matches('td, th')) return table?.rows.length === 1 && table.querySelector('pre, code') !== null;
      return numbers.length > 1 && one.closest('[class*=line i]') !== null;
    },
  },
  {
    name: 'footnote mark',
    reason: 'The number or arrow that links a note and its place.',
    selector: 'sup, a[href*="#"], [role=doc-footnote] > .label, [role=doc-backlink]',
    test: (one) => {
      if (one.closest('[role=doc-footnote], [role=doc-endnote]')?.firstElementChild === one) return true;
      const link = one.closest('a[href*="#"]') ?? one.querySelector('a[href*="#"]');
      if (!link?.hash) return false;
      const names = [link.className, link.id, link.hash.slice(1), link.getAttribute('role'), link.parentElement.getAttribute('role')];
      const isNote = link.closest('sup') !== null || link.querySelector('sup') !== null || names.some((name) => /footnote|fnref|^fn[-:_.]?\d|^cite_|^_ftn|noteref|backlink/iu.test(name ?? ''));
      return isNote && /^[[(]?[\d*†‡a-z]{0,3}[\])]?[↩︎⏎^]*$/iu.test(one.textContent.replace(/\s+/gu, ''));
    },
  },
  {
    name: 'icon',
    reason: 'A picture that says only its file name, or that a link leads elsewhere; the name of a sign in a font of signs.',
    selector: 'img, svg, i, [class*=material-icons], [class*=material-symbols]',
    test: (one) => {
      if (one.matches('[class*=material-icons], [class*=material-symbols]')) return true;
      const label = labelOf(one).trim();
      return /^\S+\.(png|svg|jpe?g|gif|webp|avif|ico)$/iu.test(label) || /\bnew (tab|window)\b|\bexternal link\b/iu.test(label);
    },
  },
  {
    name: 'diagram source',
    reason: 'Source that a script replaces with a diagram.',
    selector: '.mermaid, pre:has(> code:is(.language-mermaid, [data-lang=mermaid]))',
  },
  {name: 'folded', reason: 'Lines of code that readers see only if they ask for them.', selector: FOLDED},
  {name: 'list number', reason: 'The number of a list item that only a style sheet removes or changes.'},
  {name: 'generated text', reason: 'Text that only a style sheet has.'},
];
