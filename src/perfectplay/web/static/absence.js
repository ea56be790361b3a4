// @ts-check
// How long players have been away. The server says it once; the page counts on.

import { say } from "./dom.js";

export class Absence {
  /** @type {(number | null)[]} */
  #since = [null, null];

  /** @param {(number | null)[]} away the seconds that each player has been away, or null */
  count(away) {
    this.#since = away.map((seconds) => (seconds === null ? null : performance.now() - seconds * 1000));
  }

  /**
   * The milliseconds that a player has been away; null if the player is here.
   * @param {number} seat
   */
  of(seat) {
    const since = this.#since[seat];
    return since === null ? null : performance.now() - since;
  }

  /** Write the seconds into the name cards. */
  tell() {
    /** @type {NodeListOf<HTMLElement>} */
    const spans = document.querySelectorAll(".seconds");
    for (const span of spans) {
      const away = this.of(Number(span.dataset.seat));
      say(span, away === null ? "" : ` for ${Math.max(0, Math.floor(away / 1000))} s`);
    }
  }
}
