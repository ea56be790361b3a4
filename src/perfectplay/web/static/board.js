// @ts-check
// One renderer for every game: a View as SVG, its controls and captions, and moves by click, tap or keyboard.
// It knows rows of cells with pieces, and groups of controls, but nothing about any game.

import { ask, h, put, s } from "./dom.js";

const NARROWEST = 40;
const WIDEST = 76;
const GAP = 4;
const HEAD = 16;
const FOOT = 18;

/** @type {Record<string, string>} */
const SHOWN = { "*": "★" };

/**
 * How a row is wrapped: into as few lines as possible, all about equally long.
 * @param {number} count
 * @param {number} width
 */
export function folded(count, width, widest = WIDEST, narrowest = NARROWEST) {
  const fitting = Math.max(1, Math.floor((width + GAP) / (narrowest + GAP)));
  const bands = Math.max(1, Math.ceil(count / fitting));
  const columns = Math.max(1, Math.ceil(count / bands));
  const size = Math.min(widest, Math.floor((width + GAP) / columns) - GAP);
  return { bands, columns, size: Math.max(size, Math.min(narrowest, width)) };
}

/**
 * A full board inside an element. `play(text)` is called with the text of a chosen move, `explain(cell)` with a cell
 * that was clicked but cannot be chosen.
 */
export class Board {
  /**
   * @param {HTMLElement} place
   * @param {(text: string) => unknown} play
   * @param {(cell: Api.Cell) => unknown} [explain]
   */
  constructor(place, play, explain = () => {}) {
    this.place = place;
    this.play = play;
    /** @type {(Page.Showing & { view: Api.View }) | null} */
    this.state = null;
    this.at = 0;
    this.typed = "";
    /** @type {SVGElement[]} */
    this.cells = [];
    this.frame = h("div", { class: "board-frame", tabindex: "-1" });
    this.controls = h("div", { class: "controls" });
    this.captions = h("ul", { class: "captions", role: "list" });
    put(place, this.frame, this.captions, this.controls);
    place.addEventListener("keydown", (event) => this.#key(event));
    this.frame.addEventListener("click", (event) => {
      /** @type {SVGElement | null} */
      const cell = /** @type {Element} */ (event.target).closest("[data-cell]:not([data-move])");
      if (cell && this.state) explain(this.state.view.rows.flat()[Number(cell.dataset.cell)]);
    });
    new ResizeObserver(() => this.#resized()).observe(this.frame);
  }

  /**
   * Show a view.
   * @param {Api.View} view
   * @param {Page.Showing} options
   */
  show(view, options) {
    const focused = this.place.contains(document.activeElement);
    const inField = document.activeElement?.matches?.(".typed input") && focused;
    this.state = { view, ...options };
    this.#draw(this.state);
    this.#drawControls(this.state);
    put(this.captions, view.captions.map((caption) => h("li", {}, caption)));
    this.captions.hidden = view.captions.length === 0;
    if (focused && !this.place.contains(document.activeElement)) {
      /** @type {HTMLElement | null} */
      const field = inField ? this.controls.querySelector(".typed input") : null;
      (field ?? this.#nearest() ?? this.frame).focus({ preventScroll: true });
    }
  }

  #resized() {
    if (this.state && this.drawnWidth !== this.frame.clientWidth) {
      const focused = this.frame.contains(document.activeElement) && document.activeElement !== this.frame;
      this.#draw(this.state);
      if (focused) this.#nearest()?.focus({ preventScroll: true });
    }
  }

  /** @param {Page.Showing & { view: Api.View }} state */
  #draw(state) {
    this.drawnWidth = this.frame.clientWidth;
    const { svg, targets } = drawing(state.view, {
      ...state,
      width: this.drawnWidth || 320,
      choose: (text) => this.#choose(text),
    });
    this.cells = targets;
    for (const [i, target] of targets.entries()) {
      target.addEventListener("focus", () => this.#rove(i));
    }
    put(this.frame, svg);
    const near = this.#nearest(true);
    if (near) near.setAttribute("tabindex", "0");
  }

  /** @param {Page.Showing & { view: Api.View }} state */
  #drawControls({ view, playable, marks, legal, typing }) {
    /** @type {Map<string, Button[]>} */
    const groups = new Map();
    for (const control of view.controls) groups.set(control.group, [...(groups.get(control.group) ?? []), control]);
    const placed = new Set([...view.rows.flat(), ...view.controls].map((each) => each.text));
    const others = legal.filter((text) => !placed.has(text)).map((text) => ({ label: text, text, group: "" }));
    if (others.length) groups.set("", [...(groups.get("") ?? []), ...others]);
    put(
      this.controls,
      [...groups].map(([group, controls]) =>
        h(
          "div",
          { class: "control-group", role: "group", "aria-label": group || "Moves" },
          group && h("span", { class: "group-name" }, group),
          controls.map((control) => this.#button(control, playable, control.action === undefined ? undefined : marks?.get(control.action))),
        ),
      ),
      typing && playable && view.text_field ? this.#typing(view.text_field, legal) : null,
    );
    this.controls.hidden = this.controls.childElementCount === 0;
  }

  /**
   * @param {Button} control
   * @param {boolean} playable
   * @param {Page.Mark} [mark]
   */
  #button({ label, text, group }, playable, mark) {
    const name = `${group ? `${group} ` : ""}${label}${mark ? `, ${mark.long}` : ""}`;
    const button = h(
      "button",
      {
        type: "button",
        class: `control${mark?.best ? " best" : ""}`,
        "aria-label": name,
        "data-move": text,
        disabled: !playable,
        onclick: () => this.#choose(text),
      },
      h("span", {}, label),
      mark && h("small", { class: `value ${mark.kind}` }, mark.short, mark.best && " ★"),
    );
    return button;
  }

  /**
   * @param {Api.TextField} field
   * @param {string[]} legal
   */
  #typing({ wants, buttons }, legal) {
    const field = h("input", {
      id: "typed-number",
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      maxlength: "40",
      "aria-describedby": "typed-help",
    });
    field.value = this.typed;
    field.addEventListener("input", () => {
      this.typed = field.value;
    });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || buttons.length === 1) return;
      // Enter would press the first button; let the user choose one.
      event.preventDefault();
      field.form?.querySelector("button")?.focus();
    });
    /** @param {string} ending */
    const send = async (ending) => {
      const typed = field.value.trim();
      // Text after the first word is wrong too, but costs no turn: the server refuses it.
      if (!legal.includes(`${typed.split(/\s+/)[0]}${ending}`)) {
        const shown = typed === "" ? "An empty field" : `“${typed}”`;
        const sure = await ask(`${shown} is not ${wants}. Sending it costs you the turn.`, "Send it anyway", "Go back");
        if (!sure) return;
      }
      this.typed = "";
      this.play(`${typed}${ending}`);
    };
    return h(
      "form",
      {
        class: "typed",
        onsubmit: (event) => {
          event.preventDefault();
          send(/** @type {HTMLButtonElement} */ (event.submitter).value);
        },
      },
      h("label", { for: "typed-number" }, `Or type ${wants}`),
      field,
      buttons.map(({ label, ending }) => h("button", { type: "submit", value: ending }, label)),
      h("small", { id: "typed-help" }, `${buttons.length > 1 ? "Then choose a button. " : ""}Anything else costs you the turn.`),
    );
  }

  /** @param {string} text */
  #choose(text) {
    if (this.state?.playable) this.play(text);
  }

  /** Everything that the arrow keys can reach, in reading order. */
  #reached() {
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = this.controls.querySelectorAll("button.control:not(:disabled)");
    return [...this.cells, ...buttons];
  }

  /** @param {number} i */
  #rove(i) {
    for (const [j, target] of this.cells.entries()) target.setAttribute("tabindex", i === j ? "0" : "-1");
    this.at = Number(this.cells[i].dataset.cell);
  }

  /** The legal cell nearest to the last focus; if there is none, the first control, unless only cells count. */
  #nearest(onlyCells = false) {
    /** @param {SVGElement} target */
    const away = (target) => Math.abs(Number(target.dataset.cell) - this.at);
    const [cell] = [...this.cells].sort((one, other) => away(one) - away(other));
    return cell ?? (onlyCells ? null : (this.#reached()[0] ?? null));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = /** @type {Element} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || at.matches("input")) return;
    /** @type {SVGElement | HTMLButtonElement | null} */
    const target = at.closest("[data-cell], button.control");
    if ((event.key === "Enter" || event.key === " ") && target?.dataset.cell !== undefined) {
      event.preventDefault();
      this.#choose(target.dataset.move ?? "");
      return;
    }
    const next = this.#neighbour(target, event.key);
    if (next === undefined) return;
    event.preventDefault();
    next?.focus();
  }

  /**
   * The element that an arrow key moves to; undefined for any other key.
   * @param {SVGElement | HTMLButtonElement | null} target
   * @param {string} key
   */
  #neighbour(target, key) {
    const reached = this.#reached();
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };
    const step = steps[key];
    if (key === "Home") return reached[0] ?? null;
    if (key === "End") return reached[reached.length - 1] ?? null;
    if (step === undefined) return undefined;
    if (!target) return this.#nearest();
    const i = reached.indexOf(target);
    if (key === "ArrowRight" || key === "ArrowLeft") return reached[(i + step + reached.length) % reached.length];
    return this.#vertical(target, step, reached) ?? target;
  }

  /**
   * @param {Element} target
   * @param {number} step
   * @param {(SVGElement | HTMLButtonElement)[]} reached
   */
  #vertical(target, step, reached) {
    const from = target.getBoundingClientRect();
    /** @param {DOMRect} box */
    const middle = (box) => box.left + box.width / 2;
    const ahead = reached
      .map((each) => ({ each, box: each.getBoundingClientRect() }))
      .filter(({ box }) => (step > 0 ? box.top >= from.bottom - 2 : box.bottom <= from.top + 2));
    if (!ahead.length) return null;
    /** @param {{ box: DOMRect }} each */
    const edge = ({ box }) => (step > 0 ? box.top - from.bottom : from.top - box.bottom);
    const line = Math.min(...ahead.map(edge));
    const nearby = ahead.filter((each) => edge(each) < line + 12);
    /** @param {{ box: DOMRect }} each */
    const sideways = ({ box }) => Math.abs(middle(box) - middle(from));
    return nearby.reduce((best, each) => (sideways(each) < sideways(best) ? each : best)).each;
  }
}

/**
 * A move that is not on the board. It has no action if the view has no control for it.
 * @typedef {{ label: string, text: string, group: string, action?: number }} Button
 *
 * @typedef {Partial<Page.Showing> & {
 *   width: number, widest?: number, narrowest?: number, mini?: boolean, choose?: (text: string) => void
 * }} Drawing
 */

/**
 * The rows of a view as one SVG element, and the cells that can be chosen.
 * @param {Api.View} view
 * @param {Drawing} options
 */
function drawing(view, options) {
  const { width, playable, marks, changed, label, choose } = options;
  const longest = Math.max(1, ...view.rows.map((row) => row.length));
  const { columns, size } = folded(longest, width, options.widest, options.narrowest);
  const height = options.mini ? size : HEAD + Math.round(size * 0.66) + FOOT;
  /** @type {SVGElement[]} */
  const targets = [];
  const svg = s("svg", { class: "board", role: options.mini ? "img" : "group", "aria-label": label ?? "Board" });
  let [y, number] = [1, 0];
  for (const row of view.rows) {
    if (row.length === 0) {
      svg.append(emptyRow(Math.min(width, size * 3), y, height, options.mini));
      y += height + GAP;
    }
    for (let first = 0; first < row.length; first += columns) {
      for (const [column, cell] of row.slice(first, first + columns).entries()) {
        const box = { x: 1 + column * (size + GAP), y, size, height, number, mini: options.mini };
        const mark = cell.action === null ? undefined : marks?.get(cell.action);
        const legal = cell.action !== null && !options.mini;
        const group = drawnCell(cell, box, { legal, playable: legal && playable, mark, changed: changed?.includes(number), view });
        if (legal && playable && choose) {
          group.addEventListener("click", () => choose(cell.text ?? ""));
          targets.push(group);
        }
        svg.append(group);
        number += 1;
      }
      y += height + GAP;
    }
  }
  const across = Math.min(Math.max(longest === 1 ? size * 3 : 0, columns * (size + GAP) - GAP) + 2, width);
  svg.setAttribute("viewBox", `0 0 ${across} ${y - GAP + 1}`);
  svg.setAttribute("width", String(across));
  svg.setAttribute("height", String(y - GAP + 1));
  return { svg, targets };
}

/**
 * @param {number} width
 * @param {number} y
 * @param {number} height
 * @param {boolean} [mini]
 */
function emptyRow(width, y, height, mini) {
  return s(
    "g",
    mini ? {} : { role: "img", "aria-label": "Nothing on the board yet" },
    s("rect", { class: "slot", x: 1, y, width: width - 2, height, rx: 6 }),
    s("text", { class: "slot-text", x: width / 2, y: y + height / 2, "text-anchor": "middle", "dominant-baseline": "central" }, "empty"),
  );
}

/**
 * @param {Api.Cell} cell
 * @param {{ x: number, y: number, size: number, height: number, number: number, mini?: boolean }} box
 * @param {{ legal: boolean, playable?: boolean, mark?: Page.Mark, changed?: boolean, view: Api.View }} look
 */
function drawnCell(cell, box, { legal, playable, mark, changed, view }) {
  const { x, y, size, height, number, mini } = box;
  const holds = cell.pieces.length ? `: ${cell.pieces.join(" and ")}` : ", empty";
  const name = [
    `${cell.label}${holds}`,
    changed && "last move",
    legal && (playable ? "legal move" : null),
    mark && `${mark.long}${mark.best ? ", best" : ""}`,
  ];
  const classes = ["cell", legal && "legal", playable && "playable", changed && "changed", mark?.best && "best"];
  const group = s("g", {
    class: classes.filter(Boolean).join(" "),
    ...(mini
      ? {}
      : {
          role: playable ? "button" : "img",
          "aria-label": name.filter(Boolean).join(", "),
          "data-cell": number,
          "data-label": cell.label,
          "data-move": playable ? cell.text : null,
          tabindex: playable ? "-1" : null,
        }),
  });
  group.append(s("rect", { class: "ground", x, y, width: size, height, rx: mini ? 3 : 6 }));
  if (!mini) group.append(s("text", { class: "label", x: x + 6, y: y + 13 }, cell.label));
  if (changed) group.append(s("path", { class: "last", d: `M${x + size - 13} ${y + 1}h7a5 5 0 0 1 5 5v7z` }));
  const middle = mini ? y + height / 2 : y + HEAD + (height - HEAD - FOOT) / 2;
  group.append(...drawnPieces(cell.pieces, x + size / 2, middle, size, view));
  const [foot, centre] = [y + height - FOOT / 2, x + size / 2];
  if (mark) {
    group.append(
      s(
        "text",
        { class: `value ${mark.kind}`, x: centre, y: foot, "text-anchor": "middle", "dominant-baseline": "central" },
        `${mark.short}${mark.best ? "★" : ""}`,
      ),
    );
  } else if (legal) {
    group.append(s("circle", { class: "hint", cx: centre, cy: foot, r: playable ? 4 : 3 }));
  }
  if (playable) group.append(s("rect", { class: "ring", x: x + 1.5, y: y + 1.5, width: size - 3, height: height - 3, rx: 5 }));
  return group;
}

/**
 * @param {string[]} pieces
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {Api.View} view
 */
function drawnPieces(pieces, x, y, size, { sides, hollow }) {
  const count = pieces.length;
  const radius = count > 1 ? (size * 0.44) / count : size * 0.31;
  return pieces.map((piece, i) => {
    const owner = sides.findIndex((own) => own.includes(piece));
    const kind = owner >= 0 ? `side-${owner}` : hollow.includes(piece) ? "hollow" : "nobody";
    const cx = x + (i - (count - 1) / 2) * 2 * radius;
    const shown = SHOWN[piece] ?? piece;
    const font = Math.min(radius * 1.15, (radius * 1.9) / Math.max(1, shown.length));
    const disc =
      owner === 1
        ? s("rect", { x: cx - radius * 0.88, y: y - radius * 0.88, width: radius * 1.76, height: radius * 1.76, rx: radius * 0.3 })
        : s("circle", { cx, cy: y, r: radius * 0.94 });
    return s(
      "g",
      { class: `piece ${kind}` },
      disc,
      s("text", { x: cx, y, "font-size": font, "text-anchor": "middle", "dominant-baseline": "central" }, shown),
    );
  });
}

/**
 * A small picture of a position, without controls.
 * @param {Api.View} view
 * @param {string} label
 */
export function miniature(view, label) {
  return drawing(view, { width: 330, widest: 34, narrowest: 20, mini: true, label }).svg;
}
