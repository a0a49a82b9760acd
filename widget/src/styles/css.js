/** Mark a style sheet for the build, which minifies it. @param {TemplateStringsArray} strings */
export function css(strings) {
  return strings.join('');
}

/** Construct a sheet. It applies under a Content-Security-Policy without `unsafe-inline`. @param {string} text */
export function sheet(text) {
  const constructed = new CSSStyleSheet();
  constructed.replaceSync(text);
  return constructed;
}

/** Add a sheet to a tree, once. @param {DocumentOrShadowRoot} root @param {CSSStyleSheet} added */
export function adopt(root, added) {
  if (!root.adoptedStyleSheets.includes(added)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, added];
}
