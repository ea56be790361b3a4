// @ts-check
// One game that can be played at once: the first move on its board starts a game against the computer.

import { Board } from "./board.js";
import { complain, find, h, put } from "./dom.js";
import { GUIDED, firstVisit } from "./guide.js";
import { PEOPLE } from "./host.js";
import { goToTable } from "./new_table.js";
import { wonGame } from "./won_game.js";
import { whyNot } from "./words.js";

const EASY = "level:1";

/**
 * The game with the most moves on its first board: it can be played without being explained.
 * @param {Api.Game[]} games
 */
export function invitingGame(games) {
  const open = (/** @type {Api.Game} */ game) => game.view.rows.flat().filter((cell) => cell.action !== null).length;
  return games.reduce((best, game) => (open(game) > open(best) ? game : best));
}

export class Hero {
  /**
   * @param {Api.Game[]} games
   * @param {boolean} unknown whether this browser has no games yet
   */
  constructor(games, unknown) {
    this.game = invitingGame(games);
    this.guided = unknown && firstVisit();
    this.board = new Board(
      find("hero-board"),
      (text) => this.#begin(text),
      (cell) => complain(whyNot(cell, this.game.view, "sign")),
    );
    const invitation = this.guided ? "New here? Make a move: a guided game takes a minute." : "Make a move to play the computer.";
    put(find("hero-text"), h("b", {}, this.game.title), `: ${this.game.summary} ${invitation}`);
    put(find("hero-won"), wonGame(this.game));
    this.#show();
    /** @type {[string, (button: HTMLElement) => unknown][]} */
    const buttons = [
      ["anyone", (button) => goToTable("/api/play", { game: this.game.name, any: true }, button)],
      ["friend", (button) => goToTable("/api/tables", { game: this.game.name, opponent: null, public: false }, button)],
    ];
    for (const [id, press] of PEOPLE ? buttons : []) find(id).addEventListener("click", () => press(find(id)));
    document.querySelector(".hero")?.removeAttribute("aria-busy");
  }

  #show() {
    const { view, title } = this.game;
    const legal = view.rows.flat().flatMap((cell) => cell.text ?? []);
    this.board.show(view, { playable: true, changed: [], legal, label: `Board of ${title}. Make the first move.` });
  }

  /** @param {string} text */
  async #begin(text) {
    const opponent = this.guided ? EASY : `level:${this.game.level}`;
    const wish = { game: this.game.name, seat: 0, opponent, public: false };
    const begun = await goToTable("/api/tables", wish, find("hero-board"), this.guided ? GUIDED : "", text);
    if (!begun) this.#show();
  }
}
