import { PinciteChat } from './element.js';

// The page may load this script twice.
if (globalThis.customElements && !customElements.get('pincite-chat')) {
  customElements.define('pincite-chat', PinciteChat);
}
