// @ts-check
// Adds a game that has ended to the journal of this browser, once it is known what became of its moves.

import { isShared } from "./table_words.js";
import { addGame } from "./journal.js";
import { patiently } from "./patience.js";

export class KeptGames {
  #asked = "";
  /** @type {string[]} */
  #names = [];

  /** @param {() => unknown} found called when it is known which exercises a game has made */
  constructor(found) {
    this.found = found;
  }

  /**
   * The last exercise that came from the game of a table; null if there is none, or it is not known yet.
   * @param {Api.Table} table
   */
  exerciseOf(table) {
    const { id, status, seat, position } = table;
    if (status !== "over" || (seat === null && !isShared(table))) return null;
    const place = `${id}/${position.game}`;
    if (this.#asked !== place) this.#ask(table, place);
    return this.#names.at(-1) ?? null;
  }

  /**
   * @param {Api.Table} table
   * @param {string} place
   */
  async #ask({ id, position }, place) {
    this.#asked = place;
    this.#names = [];
    // A game that is too large has no exercises; one that is refused now is added by the page of exercises.
    const names = await patiently(async () => (this.#asked === place ? addGame(id, position.game) : [])).catch(() => []);
    if (this.#asked !== place || !names.length) return;
    this.#names = names;
    this.found();
  }
}
