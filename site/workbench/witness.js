// @ts-check
// The moves that show a finding, on a board to step through. There is one, and it moves to the finding that is looked at.

import { Board } from "../../src/perfectplay/web/static/board.js";
import { announce, h, put, say } from "../../src/perfectplay/web/static/dom.js";
import { MoveList } from "../../src/perfectplay/web/static/moves.js";
import { ownersOf } from "../../src/perfectplay/web/static/owners.js";
import { countWords, sentence } from "../../src/perfectplay/web/static/words.js";

/**
 * @typedef {{
 *   positions: Api.Position[], played: Api.Move[], side_names: string[],
 *   stopped: import("./words.js").Trouble | null, left_out: number,
 * }} Steps
 */

export class Witness {
  /** @type {Steps | null} */
  #steps = null;

  /** @param {string} [label] */
  constructor(label = "The moves that show it") {
    this.label = label;
    const board = h("div", { class: "board-place" });
    const moves = h("div", { class: "witness-moves" });
    this.words = h("p", { class: "status-line", "aria-live": "off" });
    this.note = h("p", { class: "quiet small-print" });
    this.place = h("div", { class: "witness", role: "group", "aria-label": label }, h("div", {}, this.words, board), moves, this.note);
    this.board = new Board(board, () => {});
    this.list = new MoveList(moves, (ply) => this.#go(ply));
  }

  /**
   * Show the steps below a finding, at their end.
   * @param {Steps} steps
   * @param {HTMLElement} item
   */
  show(steps, item) {
    this.close();
    this.#steps = steps;
    this.board.forget();
    item.append(this.place);
    item.querySelector("[aria-expanded]")?.setAttribute("aria-expanded", "true");
    const { stopped, left_out } = steps;
    put(this.note, stopped ? `The moves end here: ${stopped.text}` : left_out ? `${countWords(left_out, "more move")} not shown.` : "");
    this.#go(steps.positions.length - 1);
  }

  /** Put the board away. */
  close() {
    this.place.parentElement?.querySelector("[aria-expanded]")?.setAttribute("aria-expanded", "false");
    this.place.remove();
  }

  /**
   * Whether a finding is the one that is looked at.
   * @param {HTMLElement} item
   */
  isIn(item) {
    return this.place.parentElement === item;
  }

  /** @param {number} ply */
  #go(ply) {
    const steps = this.#steps;
    if (!steps) return;
    const { positions, played, side_names } = steps;
    const position = positions[ply];
    const { view, result, changed, side, last } = position;
    const made = played.filter((move) => move.ply !== null);
    const words = ply === 0 ? "The start." : `After ${made[ply - 1]?.text ?? "the move"}.`;
    const then = result ? sentence(result.text) : `${side_names[side]} to move.`;
    say(this.words, `${words} ${then}`);
    this.board.show(view, {
      playable: false,
      idle: true,
      changed,
      legal: [],
      mover: side,
      lastSide: last?.side,
      owners: ownersOf(played, ply),
      names: side_names,
      decided: Boolean(result?.finished) && last !== null,
      label: `Board: ${this.label}`,
    });
    this.list.show(
      made.map(({ ply: at, side: mover, text, events }) => ({ ply: at ?? 0, side: mover, name: side_names[mover], text, note: events.join(", ") })),
      ply,
      positions.length - 1,
    );
    announce(`${words} ${then}`);
  }
}
