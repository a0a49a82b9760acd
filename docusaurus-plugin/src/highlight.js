/** Colours code in answers like code on the site's pages. The highlighter is loaded with the first such answer. */

/** @typedef {(code: HTMLElement, language: string) => Promise<void>} Highlight */

/** @type {Highlight} */
async function highlight(code, language) {
  const highlighter = await import('./highlighter.js');
  highlighter.highlight(code, language);
}

// Docusaurus also runs this module when it renders pages on the server.
if (typeof window !== 'undefined') {
  window.customElements.whenDefined('pincite-chat').then(() => {
    /** @type {NodeListOf<HTMLElement & {highlight?: Highlight | null}>} */
    (document.querySelectorAll('pincite-chat')).forEach((chat) => {
      chat.highlight ??= highlight; // A site's own function has precedence.
    });
  });
}
