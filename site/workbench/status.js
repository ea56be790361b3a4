// @ts-check
// The line that says what Python is at, and the buttons beside it.

import { find, say } from "../../src/perfectplay/web/static/dom.js";
import { Runner } from "./sandbox.js";
import { atWork } from "./words.js";

export class Status {
  /** @type {Map<Runner, string>} */
  #running = new Map();
  #since = 0;
  /** Why the last run ended early; empty if it did not. */
  ended = "";

  /** @param {() => boolean} held whether the file waits for a click before it runs */
  constructor(held) {
    this.held = held;
    setInterval(() => this.draw(), 500);
  }

  /**
   * A runner whose requests are shown.
   * @param {import("./sandbox.js").Sandbox} sandbox
   */
  runner(sandbox) {
    const made = new Runner(sandbox, (request) => {
      if (!this.#running.size) this.#since = performance.now();
      if (request === null) this.#running.delete(made);
      else {
        this.#running.set(made, request);
        this.ended = "";
      }
      this.draw();
    });
    return made;
  }

  draw() {
    const [[by, what] = []] = [...this.#running].reverse();
    const seconds = (performance.now() - this.#since) / 1000;
    /** @type {HTMLButtonElement} */ (find("stop")).disabled = !what;
    find("again").hidden = Boolean(what) || this.held() || !this.ended;
    const time = seconds < 1 ? "…" : `: ${Math.floor(seconds)} s`;
    const idle = this.held() ? "Not run yet." : this.ended;
    say(find("status"), what ? `${by?.started ? atWork(what) : "Starting Python"}${time}` : idle);
  }
}
