import { PinciteChat } from './element.js';

// A second copy of the script on one page must do nothing.
if (globalThis.customElements && !customElements.get('pincite-chat')) {
  customElements.define('pincite-chat', PinciteChat);
}
