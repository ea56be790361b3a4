// @ts-check
// The move list and its four buttons, to step through a game by click or keyboard.

import { h, put } from "./dom.js";

export class MoveList {
  /**
   * `go(ply)` is called with the ply to show, from 0 (the start) to the last.
   * @param {Element} place
   * @param {(ply: number) => unknown} go
   */
  constructor(place, go) {
    this.go = go;
    this.shown = 0;
    this.plies = 0;
    this.list = h("ol", { class: "moves", tabindex: "0", "aria-label": "Moves; use the arrow keys to step through them" });
    /** @type {[string, string, string, () => number][]} */
    const steps = [
      ["first", "|◀", "Start position", () => 0],
      ["previous", "◀", "Previous move", () => this.shown - 1],
      ["next", "▶", "Next move", () => this.shown + 1],
      ["last", "▶|", "Last move", () => this.plies],
    ];
    this.buttons = steps.map(([name, sign, label, ply]) =>
      h("button", { type: "button", "aria-label": label, title: label, "data-step": name, onclick: () => this.#step(ply()) }, sign),
    );
    put(place, h("div", { class: "stepper", role: "group", "aria-label": "Step through the game" }, this.buttons), this.list);
    document.addEventListener("keydown", (event) => this.#key(event, place));
  }

  /**
   * Show the moves of a game with `plies` plies; `shown` is the ply on the board, `turning` the one on which the game turned.
   * @param {Page.ListedMove[]} moves
   * @param {number} shown
   * @param {number} plies
   * @param {number | null} [turning]
   */
  show(moves, shown, plies, turning = null) {
    [this.shown, this.plies] = [shown, plies];
    const items = moves.map((move) => {
      const current = move.ply === shown;
      const deciding = move.ply === turning;
      const words = [`${move.ply}. ${move.name}: ${move.words ?? move.text}`, move.note, move.signWords, deciding && "the lead changed here"].filter(Boolean).join(", ");
      return h(
        "li",
        { class: `side-${move.side}${deciding ? " deciding" : ""}` },
        h(
          "button",
          {
            type: "button",
            tabindex: "-1",
            "aria-label": words,
            "aria-current": current ? "true" : null,
            "data-ply": move.ply,
            onclick: () => this.#step(move.ply),
          },
          h("span", { class: "ply" }, `${move.ply}.`),
          h("span", { class: "side-sign" }),
          h("span", { class: "words" }, h("span", { class: "text" }, move.text), move.note && h("span", { class: "note" }, move.note)),
          move.sign && h("span", { class: `sign${move.kept === false ? " bad" : ""}`, title: move.signWords }, move.sign),
        ),
      );
    });
    put(this.list, items.length ? items : h("li", { class: "none" }, "No moves yet."));
    const item = this.list.querySelector("[aria-current]")?.parentElement;
    if (item) {
      if (item.offsetTop < this.list.scrollTop || item.offsetTop + item.offsetHeight > this.list.scrollTop + this.list.clientHeight)
        this.list.scrollTop = item.offsetTop - this.list.clientHeight / 2;
    }
    const [first, previous, next, last] = this.buttons;
    for (const button of [first, previous]) this.#allow(button, shown > 0);
    for (const button of [next, last]) this.#allow(button, shown < plies);
  }

  /**
   * A disabled button stays focusable, so that the focus is not lost.
   * @param {HTMLButtonElement} button
   * @param {boolean} on
   */
  #allow(button, on) {
    button.setAttribute("aria-disabled", on ? "false" : "true");
  }

  /** @param {number} ply */
  #step(ply) {
    if (ply < 0 || ply > this.plies || ply === this.shown) return;
    this.shown = ply; // from where the next step goes, even if this one takes a while
    this.go(ply);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Element} place
   */
  #key(event, place) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const inside = place.contains(/** @type {Node} */ (event.target));
    if (!inside && event.target !== document.body) return;
    /** @type {Record<string, number>} */
    const plies = {
      ArrowLeft: this.shown - 1,
      ArrowRight: this.shown + 1,
      ...(inside ? { ArrowUp: this.shown - 1, ArrowDown: this.shown + 1, Home: 0, End: this.plies } : {}),
    };
    const ply = plies[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    this.#step(ply);
  }
}
