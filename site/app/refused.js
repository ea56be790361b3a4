// @ts-check
// Why something could not be done, as the pages know it from the server.

export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} text
   */
  constructor(status, code, text) {
    super(text);
    this.status = status;
    this.code = code;
    /** @type {string | null} */
    this.table = null;
  }
}
