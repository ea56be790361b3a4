// @ts-check
// The shapes on a board: pieces, flags, hints. Every shape differs in more than its color.

import { s } from "./dom.js";

/** @type {Record<string, string>} */
const SHOWN = { "*": "★" };

/**
 * A piece. Those of side 0 are round, those of side 1 square; a piece of neither is a dark disc.
 * @param {string} text
 * @param {string} kind side-0, side-1, nobody or hollow
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function piece(text, kind, x, y, r) {
  const shown = SHOWN[text] ?? text;
  const font = Math.min(r * 1.05, (r * 1.75) / Math.max(1, shown.length));
  const square = kind === "side-1";
  return s(
    "g",
    { class: `piece ${kind}`, "data-piece": text },
    kind === "hollow"
      ? null
      : square
        ? s("rect", { class: "body", x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8, rx: r * 0.34 })
        : s("circle", { class: "body", cx: x, cy: y, r }),
    kind === "hollow"
      ? null
      : square
        ? s("rect", { class: "shine", x: x - r * 0.66, y: y - r * 0.68, width: r * 0.72, height: r * 0.42, rx: r * 0.18 })
        : s("ellipse", { class: "shine", cx: x - r * 0.28, cy: y - r * 0.42, rx: r * 0.38, ry: r * 0.26 }),
    s("text", { x, y, "font-size": font, "text-anchor": "middle", "dominant-baseline": "central" }, shown),
  );
}

/**
 * A piece alone in a picture, for a name card or a list.
 * @param {number} side
 * @param {string} [text]
 */
export function token(side, text = "") {
  return s("svg", { class: "token", viewBox: "0 0 40 40", "aria-hidden": "true" }, piece(text, `side-${side}`, 20, 20, 17));
}

/**
 * A flag that stands on a cell; `later` for one that stands there only after something has happened.
 * @param {number} x
 * @param {number} y the foot of the pole
 * @param {number} height
 * @param {string} kind
 * @param {boolean} later
 */
export function flag(x, y, height, kind, later) {
  const cloth = height * 0.5;
  return s(
    "g",
    { class: `flag ${kind}${later ? " later" : ""}` },
    s("path", { class: "pole", d: `M${x} ${y}v${-height}` }),
    s("path", { class: "cloth", d: `M${x + 1} ${y - height}l${cloth * 1.1} ${cloth * 0.42}l${-cloth * 1.1} ${cloth * 0.46}z` }),
  );
}

/**
 * The sign of a legal move: an arrow in the direction of the step, or a dot.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} direction -1 for left, 1 for right, 0 for none
 */
export function hint(x, y, size, direction) {
  const a = size * 0.15;
  if (!direction) return s("circle", { class: "hint dot", cx: x, cy: y, r: Math.max(2.5, size * 0.06) });
  return s("path", { class: "hint", d: `M${x - a * 0.7 * direction} ${y - a}l${a * 1.4 * direction} ${a}l${-a * 1.4 * direction} ${a}` });
}

/** @type {Record<string, string>} */
const SIGNS = { win: "M-4 0l3 3.2l5.4 -6.6", loss: "M-3.4 -3.4l6.8 6.8m0 -6.8l-6.8 6.8", tie: "M-4 -2h8m-8 4h8", endless: "M-4 0h8", undecided: "M-2.6 -2.6a2.7 2.7 0 1 1 2.6 3.2v1.8m0 2.4v.4" };

/**
 * The value of a move as a colored dot with a sign: a check, a cross, an equals sign, a line or a question mark.
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function valueDot(kind, x, y, r) {
  return s(
    "g",
    { class: `value-dot ${kind}`, transform: `translate(${x} ${y}) scale(${r / 9})` },
    s("circle", { r: 9 }),
    s("path", { d: SIGNS[kind] ?? "" }),
  );
}

/**
 * The value of a move as a picture of its own, for a table.
 * @param {string} kind
 */
export function valueSign(kind) {
  return s("svg", { class: "value-sign", viewBox: "0 0 20 20", "aria-hidden": "true" }, valueDot(kind, 10, 10, 9));
}
