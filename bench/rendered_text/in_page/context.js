// Returns the markup around a character of a run, in a page that has been read.
const readContext = ([run, offset, length]) => {
  const node = window.pinciteSeen[run];
  if (node.nodeType !== 3) return node.outerHTML.slice(0, 2 * length);
  const [text, mark] = [node.data, '\ue000'];
  node.data = text.slice(0, offset) + mark + text.slice(offset);
  let outer = node.parentElement;
  while (outer && outer.outerHTML.length < 2 * length && outer.parentElement) outer = outer.parentElement;
  const html = outer ? outer.outerHTML : node.data;
  node.data = text;
  const place = html.indexOf(mark);
  return html.slice(Math.max(0, place - length), place) + '>>>' + html.slice(place + 1, place + 1 + length);
};
