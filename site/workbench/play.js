// @ts-check
// The board beside the editor: both sides are played by whoever sits there.

import { Board } from "../../src/perfectplay/web/static/board.js";
import { announce, find, say } from "../../src/perfectplay/web/static/dom.js";
import { ownersOf } from "../../src/perfectplay/web/static/owners.js";
import { sentence, valueWords, whyNot } from "../../src/perfectplay/web/static/words.js";
import { noValues } from "./words.js";

/**
 * @typedef {{
 *   position: Api.Position, played: Api.Move[], side_names: string[],
 *   values: { value: Pick<Api.Value, "kind" | "plies">, moves: Api.StudiedMove[] } | null,
 *   unknown: string | null,
 * }} Shown
 */

export class PlayBoard {
  /** @type {string[]} */
  moves = [];
  /** @type {Shown | null} */
  #shown = null;

  /** @param {() => unknown} onChange called after the moves have changed */
  constructor(onChange) {
    this.onChange = onChange;
    this.board = new Board(
      find("board"),
      (text) => this.#play(text),
      (cell) => this.#shown && say(find("why"), this.#shown.position.result ? "The game is over." : whyNot(cell, this.#shown.position.view, "mark")),
      find("controls"),
    );
    find("undo").addEventListener("click", () => this.#back(this.moves.slice(0, -1)));
    find("restart").addEventListener("click", () => this.#back([]));
  }

  /** @param {string} text */
  #play(text) {
    // A second click before the board has changed is not another move.
    if (this.#shown?.played.length !== this.moves.length) return;
    this.moves = [...this.moves, text];
    this.onChange();
  }

  /** @param {string[]} moves */
  #back(moves) {
    this.moves = moves;
    this.onChange();
  }

  /** Whether a position is on the board. */
  get drawn() {
    return this.#shown !== null;
  }

  /**
   * Show what was asked about the moves.
   * @param {Shown} shown
   * @param {string} title
   * @param {boolean} spoken
   */
  show(shown, title, spoken) {
    this.#shown = shown;
    const { position, played, side_names: names, values, unknown } = shown;
    const { view, result, side, last } = position;
    const value = values ? `: ${valueWords(values.value)} with best play` : "";
    const words = result ? sentence(result.text) : `${names[side]} to move${value}.`;
    say(find("turn"), words);
    say(find("why"), result ? "" : noValues(unknown));
    say(find("note"), result ? "" : view.note);
    if (!spoken) this.board.forget(); // the file or its parameters have changed
    this.board.show(view, {
      playable: !result,
      marks: values && new Map(values.moves.map((move) => [move.action, { long: valueWords(move), best: move.best && move.kind !== "loss", kind: move.kind }])),
      changed: position.changed,
      legal: position.legal,
      typing: true,
      mover: side,
      lastSide: last?.side,
      owners: ownersOf(played, position.ply),
      names,
      decided: Boolean(result?.finished) && last !== null,
      label: `Board of ${title}`,
    });
    for (const id of ["undo", "restart"]) /** @type {HTMLButtonElement} */ (find(id)).disabled = this.moves.length === 0;
    if (spoken) announce([last && `${names[last.side]}: ${last.text}.`, words].filter(Boolean).join(" "));
  }
}
