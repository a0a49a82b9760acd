/** Colours the code in answers as Docusaurus colours the code on its pages; what does it is loaded with the first such answer. */

/** @typedef {(code: HTMLElement, language: string) => Promise<void>} Highlight */

/** @type {Highlight} */
async function highlight(code, language) {
  const highlighter = await import('./highlighter.js');
  highlighter.highlight(code, language);
}

// Docusaurus runs this module when it renders pages on the server as well.
if (typeof window !== 'undefined') {
  window.customElements.whenDefined('pincite-chat').then(() => {
    /** @type {NodeListOf<HTMLElement & {highlight?: Highlight | null}>} */
    (document.querySelectorAll('pincite-chat')).forEach((chat) => {
      chat.highlight ??= highlight; // A site's own goes first.
    });
  });
}
