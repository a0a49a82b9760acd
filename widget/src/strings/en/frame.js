/** English labels of the panel's edges. */
export default {
  resizeWidth: 'Width of the chat',
  resizeHeight: 'Height of the chat',
};
