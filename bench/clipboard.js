// In-page part of clipboard.py: take what pages copy, and press their copy buttons.

/** What the page has written to the clipboard. */
window.pinciteCopied = [];

(() => {
  const take = (text) => window.pinciteCopied.push(String(text));
  const clipboard = {
    writeText: async (text) => take(text),
    write: async (items) => { for (const item of items) take(await (await item.getType('text/plain')).text()); },
  };
  Object.defineProperty(navigator, 'clipboard', { value: clipboard });
  document.execCommand = (command) => {
    const field = document.activeElement;
    if (command === 'copy') take(field?.value?.slice(field.selectionStart, field.selectionEnd) || getSelection());
    return true;
  };
})();

/**
 * Return the copied text of each block of code, and whether the block has a copy button. Without a button, the text is what
 * a reader can select.
 */
window.pinciteCopyAll = async () => {
  const named = (button) => [...button.attributes].map(({ name, value }) => `${name} ${value} `).join('');
  const isCopy = (button) => !button.closest('h1, h2, h3, h4')
    && /copy|copied|clipboard|data-code/iu.test(named(button) + button.textContent);
  const buttons = 'button, clipboard-copy, [role=button], a[class*=copy], span[class*=copy], [data-clipboard-target]';
  const isGutter = (block) => block.closest('td') && /^[\d\s]+$/u.test(block.textContent);
  const selectable = (block) => {
    for (const part of block.querySelectorAll('*')) {
      const { display, userSelect } = getComputedStyle(part);
      if (display === 'none' || userSelect === 'none') part.replaceChildren();
    }
    for (const part of block.querySelectorAll('br')) part.replaceWith('\n');
    return block.textContent.trim().includes('\n') ? block.textContent : block.innerText;
  };
  const found = [];
  for (const block of document.querySelectorAll('pre, div.fragment')) {
    const isOther = (one) => !block.contains(one) && !isGutter(one);
    const hasOther = (around) => [...around.querySelectorAll('pre')].some(isOther);
    if (isGutter(block) || block.parentElement.closest('pre')) continue;
    let button = null;
    let around = block;
    for (let up = 0; up < 5 && around && !button && !hasOther(around); up += 1) {
      button = [...around.querySelectorAll(buttons)].find(isCopy);
      around = around.parentElement;
    }
    window.pinciteCopied.length = 0;
    button?.click();
    for (let wait = 0; button && wait < 20 && window.pinciteCopied.length === 0; wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const hasButton = window.pinciteCopied.length > 0;
    const text = hasButton ? window.pinciteCopied[0] : selectable(block);
    if (hasButton || block.offsetParent) found.push([text, hasButton]);
  }
  return found;
};
