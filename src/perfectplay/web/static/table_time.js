// @ts-check
// The clocks of a table, and how long its players have been away or silent.

import { Absence } from "./absence.js";
import { clockText, isUrgent, reading, silence, timeLeft } from "./clock.js";
import { say } from "./dom.js";
import { other } from "./table_words.js";

export class TableTime {
  /** @type {import("./clock.js").ClockReading} */
  #clocks = { left: null, turn: null, ran: 0, waited: 0, at: 0 };
  #absence = new Absence();

  /**
   * Take everything from a table as the server has just described it.
   * @param {Api.Table} table
   */
  adopt(table) {
    this.onNews(table, table);
  }

  /**
   * @param {Api.Table} table
   * @param {{ away: (number | null)[], ran: number }} news
   */
  onNews(table, { away, ran }) {
    this.#absence.count(away);
    this.#clocks = reading(table, performance.now(), ran);
  }

  /**
   * After an event, the clock of the player to move starts from when its message came, which may be shown later.
   * @param {Api.Table} table
   */
  onMove(table, came = performance.now()) {
    this.#clocks = reading(table, came, 0);
  }

  /** @param {number} seat */
  isAway(seat) {
    return this.#absence.of(seat) !== null;
  }

  /**
   * Write what has changed into the name cards.
   * @param {Api.Table} table
   */
  show(table) {
    this.#absence.tell();
    this.showClocks(table);
  }

  /** @param {Api.Table} table */
  showClocks({ status }) {
    /** @type {NodeListOf<HTMLElement>} */
    const places = document.querySelectorAll(".clock");
    for (const place of places) {
      const left = timeLeft(this.#clocks, Number(place.dataset.seat), performance.now());
      if (left !== null) say(place, clockText(left));
      place.classList.toggle("urgent", status === "running" && isUrgent(left));
    }
  }

  /**
   * Whether the user may end it: before an opponent came, or when the opponent has been away or silent for long enough.
   * @param {Api.Table} table
   */
  mayClose({ seat, status, away_limit }) {
    if (seat === null || status !== "running") return seat !== null && status === "open";
    if (away_limit === null) return false;
    const limit = Math.ceil(away_limit) * 1000; // the server counts whole seconds
    const opponent = other(seat);
    return (this.#absence.of(opponent) ?? -1) >= limit || (silence(this.#clocks, opponent, performance.now()) ?? -1) >= limit;
  }
}
