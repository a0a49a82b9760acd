/** What the panel's edges are called, in English. */
export default {
  resizeWidth: 'Width of the chat',
  resizeHeight: 'Height of the chat',
};
