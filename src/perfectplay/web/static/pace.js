// @ts-check
// Shows events one at a time. Those of the computer wait for a moment, as if it thought about them.

export class Pace {
  /** @type {Api.EventMessage[]} */
  #held = [];
  #shown = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * `show(message)` is called with each message in turn, `wait(message)` says how many milliseconds after the last it may be shown.
   * @param {(message: Api.EventMessage) => unknown} show
   * @param {(message: Api.EventMessage) => number} wait
   */
  constructor(show, wait) {
    this.show = show;
    this.wait = wait;
  }

  /** @param {Api.EventMessage} message */
  add(message) {
    this.#held.push(message);
    this.#next();
  }

  /** Show everything that is held back. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const message of this.#held.splice(0)) this.#give(message);
  }

  #next() {
    if (this.#timer !== undefined) return;
    const [message] = this.#held;
    if (!message) return;
    const left = this.#shown + this.wait(message) - performance.now();
    if (left > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#first();
      }, left);
    } else {
      this.#first();
    }
  }

  #first() {
    const message = this.#held.shift();
    if (message) this.#give(message);
    this.#next();
  }

  /** @param {Api.EventMessage} message */
  #give(message) {
    this.#shown = performance.now();
    this.show(message);
  }
}
