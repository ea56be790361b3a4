// @ts-check
// The board on a page, the same for every game: a View drawn to the width of its place, and moves by click, tap or keyboard.

import { neighbor } from "./arrow_keys.js";
import { drawControls, slotsOf } from "./controls.js";
import { h, keepRoom, put } from "./dom.js";
import { drawView } from "./drawing.js";
import { FINGER } from "./geometry.js";
import { move } from "./motion.js";
import { typedMove } from "./typed_move.js";

const LOW = 480; // the height of a window in which there is room for small cells only
const CELL_IF_LOW = 50;

/** @typedef {Page.Showing & { view: Api.View }} State */

/**
 * A full board inside an element; its buttons go into `controls`. `play(text)` is called with the text of a chosen move,
 * `explain(cell)` with a cell that was clicked but cannot be chosen.
 */
export class Board {
  /** @type {State | null} */
  #state = null;
  /** @type {import("./drawing.js").Drawn | null} */
  #drawn = null;
  #width = 0;
  #at = 0;
  /** @type {string | null} */
  #pick = null;
  /** @type {string | null} */
  #pressed = null;
  #draft = { text: "", open: false };

  /**
   * @param {HTMLElement} place
   * @param {(text: string) => unknown} play
   * @param {(cell: Api.Cell) => unknown} [explain]
   * @param {HTMLElement} [controls]
   */
  constructor(place, play, explain = () => {}, controls = h("div", {})) {
    this.place = place;
    this.play = play;
    this.frame = h("div", { class: "board-frame", tabindex: "-1" });
    this.controls = controls;
    this.controls.classList.add("controls");
    this.captions = h("ul", { class: "captions", role: "list" });
    put(place, this.frame, this.captions);
    if (!controls.isConnected) place.append(controls);
    for (const each of new Set([place, controls])) each.addEventListener("keydown", (event) => this.#key(event));
    this.frame.addEventListener("click", (event) => {
      /** @type {SVGElement | null} */
      const cell = /** @type {Element} */ (event.target).closest("[data-cell]:not(.playable)");
      if (cell && this.#state) explain(this.#state.view.rows.flat()[Number(cell.dataset.cell)]);
    });
    new ResizeObserver(() => this.#onResize()).observe(this.frame);
  }

  /**
   * Show a view.
   * @param {Api.View} view
   * @param {Page.Showing} options
   */
  show(view, options) {
    const focused = this.#holds(document.activeElement);
    const inField = focused && document.activeElement?.matches?.(".typed input");
    const before = this.#state;
    const same = before !== null && JSON.stringify(before.view) === JSON.stringify(view);
    if (before && before.view.rows.length !== view.rows.length) this.forget();
    if (!options.playable || !same) this.#pick = null;
    if (options.playable || !same) this.#pressed = null;
    this.#state = { view, ...options };
    this.#draw(this.#state, !same);
    const captions = view.captions.filter((caption) => !view.on_board.includes(caption));
    put(this.captions, captions.map((caption) => h("li", {}, caption)));
    this.captions.hidden = captions.length === 0;
    this.controls.classList.toggle("resting", options.resting === true);
    // The frame has the focus only while there is nothing to choose.
    if (focused && (document.activeElement === this.frame ? options.playable : !this.#holds(document.activeElement))) {
      /** @type {HTMLElement | null} */
      const field = inField ? this.controls.querySelector(".typed input:enabled") : null;
      (field ?? this.#nearest() ?? this.frame).focus({ preventScroll: true });
    }
  }

  /** @param {Element | null} element */
  #holds(element) {
    return this.place.contains(element) || this.controls.contains(element);
  }

  /** Give up the room that was kept so that nothing moves, as for another game. */
  forget() {
    this.#drawn = null;
    for (const each of [this.frame, this.controls]) each.style.minHeight = "";
  }

  #onResize() {
    if (!this.#state || this.#width === this.frame.clientWidth) return;
    const focused = this.frame.contains(document.activeElement) && document.activeElement !== this.frame;
    this.forget();
    this.#draw(this.#state, false);
    if (focused) this.#nearest()?.focus({ preventScroll: true });
  }

  /**
   * @param {State} state
   * @param {boolean} news whether the position is another one
   */
  #draw(state, news) {
    this.#width = this.frame.clientWidth;
    const before = this.#drawn;
    const drawn = drawView(state.view, {
      ...state,
      width: this.#width || 320,
      widest: innerHeight < LOW ? CELL_IF_LOW : undefined,
      slots: state.idle ? [] : slotsOf(state.view, this.#pick),
      tops: before?.tops,
      foot: before?.foot,
      pressed: this.#pressed,
      choose: (text) => this.#choose(text),
    });
    this.#drawn = drawn;
    for (const [i, target] of drawn.targets.entries()) target.addEventListener("focus", () => this.#rove(i));
    put(this.frame, drawn.svg);
    this.#nearest(true)?.setAttribute("tabindex", "0");
    this.#drawControls(state);
    // What has been drawn once keeps its room, so that nothing below moves during a game.
    for (const each of [this.frame, this.controls]) keepRoom(each);
    if (before && news) move(before, drawn, state.changed);
    if (news) this.#follow(drawn, state.changed);
  }

  /**
   * On a board that is taller than the window, go to where something happens.
   * @param {import("./drawing.js").Drawn} drawn
   * @param {number[]} changed
   */
  #follow({ svg, pieces, height }, changed) {
    if (height < innerHeight * 0.7) return;
    const cell = changed.length ? svg.querySelector(`[data-cell="${changed[changed.length - 1]}"]`) : null;
    (cell ?? (pieces.length < 3 ? pieces[0]?.element : null))?.scrollIntoView({ block: "center" });
  }

  /** @param {State} state */
  #drawControls(state) {
    const { view, playable, legal, typing, idle } = state;
    const large = (this.#drawn?.size ?? 0) >= FINGER;
    const played = new Set(large ? view.rows.flat().flatMap((cell) => cell.action ?? []) : []);
    put(
      this.controls,
      !idle &&
        drawControls(state, {
          played,
          pick: this.#pick,
          pressed: this.#pressed,
          onpick: (label) => this.#onPick(label),
          choose: (text) => this.#choose(text),
        }),
      typing && !idle && view.text_field && typedMove(view.text_field, legal, this.#draft, playable, (text) => this.#choose(text)),
    );
  }

  /** @param {string} label */
  #onPick(label) {
    const state = this.#state;
    if (!state?.playable) return;
    this.#pick = this.#pick === label ? null : label;
    this.#draw(state, false);
    const slot = this.#pick === null ? null : this.#drawn?.targets[0];
    /** @type {HTMLElement | null} */
    const button = this.controls.querySelector(`[data-pick="${CSS.escape(label)}"]`);
    (slot ?? button)?.focus({ preventScroll: true });
  }

  /** @param {string} text */
  #choose(text) {
    const state = this.#state;
    if (!state?.playable) return;
    this.#pressed = text;
    for (const each of [this.frame, this.controls]) each.querySelector(`[data-move="${CSS.escape(text)}"]`)?.classList.add("pressed");
    this.play(text);
  }

  /** Everything that the arrow keys can reach, in reading order. */
  #findReachable() {
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = this.controls.querySelectorAll("button.control:not(:disabled)");
    return [...(this.#drawn?.targets ?? []), ...buttons];
  }

  /** @param {number} i */
  #rove(i) {
    const targets = this.#drawn?.targets ?? [];
    for (const [j, target] of targets.entries()) target.setAttribute("tabindex", i === j ? "0" : "-1");
    this.#at = Number(targets[i].dataset.cell ?? 0);
  }

  /** The legal cell nearest to the last focus; if there is none, the first control, unless only cells count. */
  #nearest(onlyCells = false) {
    /** @param {SVGElement} target */
    const away = (target) => Math.abs(Number(target.dataset.cell ?? 0) - this.#at);
    const [cell] = [...(this.#drawn?.targets ?? [])].sort((one, other) => away(one) - away(other));
    return cell ?? (onlyCells ? null : (this.#findReachable()[0] ?? null));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = /** @type {Element} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || at.matches("input")) return;
    /** @type {SVGElement | HTMLButtonElement | null} */
    const target = at.closest("g[data-move], button.control");
    if ((event.key === "Enter" || event.key === " ") && target instanceof SVGElement) {
      event.preventDefault();
      this.#choose(target.dataset.move ?? "");
      return;
    }
    if (event.key === "Escape" && this.#pick !== null) {
      event.preventDefault();
      this.#onPick(this.#pick);
      return;
    }
    const next = neighbor(event.key, target, this.#findReachable(), () => this.#nearest());
    if (next === undefined) return;
    event.preventDefault();
    next?.focus();
  }
}
