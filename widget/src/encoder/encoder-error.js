/** The encoder cannot run. `code` selects the message for the reader; `detail` is for the site's operator. */
export class EncoderError extends Error {
  /** @param {import('./types.js').FailureCode} code @param {string} detail */
  constructor(code, detail) {
    super(detail);
    this.name = 'EncoderError';
    this.code = code;
  }
}
