// Text of `::before` and `::after`. Only elements that a rule with letters or digits selects are looked at, because a look
// at each element would take twice the time.
const HAS_LETTERS = /[\p{L}\p{N}]/u;
const WITHOUT_LETTERS = /\\[\da-f]+|normal|none|var\([^)]*\)/giu;
const generatingSelectors = () => {
  const found = {before: new Set(), after: new Set()};
  const read = (rules) => {
    for (const {selectorText, style, cssRules} of rules) {
      if (selectorText && HAS_LETTERS.test((style?.content ?? '').replace(WITHOUT_LETTERS, ''))) {
        for (const part of selectorText.split(',')) {
          const match = /^(.*?)::?(before|after)\s*$/u.exec(part);
          if (match) found[match[2]].add(match[1].trim() || '*');
        }
      }
      if (cssRules?.length) read(cssRules);
    }
  };
  for (const sheet of document.styleSheets) {
    try {
      read(sheet.cssRules);
    } catch {
      // A style sheet of another site cannot be read.
    }
  }
  return found;
};
const selected = (root, selector) => {
  try {
    return root.querySelectorAll(selector);
  } catch {
    return []; // A selector of another browser.
  }
};
const generatedOf = (one, place) => {
  const style = getComputedStyle(one, `::${place}`);
  const isDot = style.overflowX === 'hidden' && parseFloat(style.width) <= 1;
  if (/^(none|normal)$/u.test(style.content) || isUnseen(style) || isDot) return '';
  const text = style.content.replace(/attr\(([\w-]+)\)/gu, (_, name) => one.getAttribute(name) ?? '');
  return text.replace(/counters?\([^)]*\)|url\([^)]*\)|["'\ue000-\uf8ff]/gu, ' ');
};
const generatedText = (root) => {
  const selectors = generatingSelectors();
  const texts = {before: new Map(), after: new Map()};
  for (const place of ['before', 'after']) {
    for (const selector of selectors[place]) {
      for (const one of selected(root, selector)) {
        const text = generatedOf(one, place);
        if (HAS_LETTERS.test(text)) texts[place].set(one, text);
      }
    }
  }
  return texts;
};
