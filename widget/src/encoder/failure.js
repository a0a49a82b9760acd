/** Why the encoder cannot run; `code` chooses what the reader is told, `detail` is for who runs the site. */
export class EncoderError extends Error {
  /**
   * @param {import('./types.js').FailureCode} code
   * @param {string} detail
   */
  constructor(code, detail) {
    super(detail);
    this.name = 'EncoderError';
    this.code = code;
  }
}
