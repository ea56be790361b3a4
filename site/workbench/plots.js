// @ts-check
// Plots of a sweep: who wins, how long a game is, and how many decisions it has, for each value of a parameter.

import { h, s } from "../../src/perfectplay/web/static/dom.js";

/**
 * A row of a sweep. What is null is not known.
 * @typedef {{
 *   value: number, result: string, side: 0 | 1 | null, plies: number | null, decisions: number | null, positions: number | null,
 *   trivial: string | null, fair: boolean | null, rates: string | null,
 * }} Row
 */

const [HEIGHT, TOP, FOOT] = [110, 8, 22];
const [LEFT, RIGHT] = [40, 6]; // at least
const [NARROWEST, WIDEST] = [14, 60]; // how much room a value may take
const [LETTER, GAP] = [6.5, 7]; // of what is written: how wide a letter is, and how far texts are apart
const SIDE_BY_SIDE = 220; // how wide a plot is at least beside the others
const BETWEEN = 24; // the gap of .plots

/**
 * How plots are laid out: whether all are side by side, and for each where the values begin, how far they are apart, which of them
 * are written below it, and how wide it is.
 * @typedef {{ beside: boolean, left: number, step: number, every: number, width: number }} Layout
 */

/**
 * @param {number} room the width that three plots have
 * @param {string[]} values what is written below a plot
 * @param {string[]} amounts what is written beside one
 * @returns {Layout}
 */
export function layout(room, values, amounts) {
  const wide = (/** @type {string[]} */ texts) => LETTER * Math.max(0, ...texts.map((text) => text.length));
  const left = Math.max(LEFT, wide(amounts) + 12);
  const right = Math.max(RIGHT, wide(values) / 2);
  const count = Math.max(1, values.length);
  const third = (room - 2 * BETWEEN) / 3;
  const beside = third >= Math.max(SIDE_BY_SIDE, left + right + NARROWEST * count);
  const step = Math.max(NARROWEST, Math.min(WIDEST, ((beside ? third : room) - left - right) / count));
  return { beside, left, step, every: Math.ceil((wide(values) + GAP) / step), width: left + step * count + right };
}

/**
 * @param {string} title
 * @param {string} words what a screen reader says
 * @param {Row[]} rows
 * @param {number} height
 * @param {Layout} laid
 * @param {(row: Row, x: number, width: number) => Page.Child} draw
 * @param {Page.Child} [axis]
 */
function plot(title, words, rows, height, { left, step, every, width }, draw, axis) {
  return h(
    "figure",
    { class: "plot" },
    h("figcaption", {}, title),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": title },
      s(
        "svg",
        { role: "img", "aria-label": words, width, height: TOP + height + FOOT, viewBox: `0 0 ${width} ${TOP + height + FOOT}` },
        axis,
        rows.map((row, i) => [
          draw(row, left + i * step + 1.5, step - 3),
          i % every === 0 && s("text", { class: "tick", x: left + (i + 0.5) * step, y: TOP + height + 15, "text-anchor": "middle" }, String(row.value)),
        ]),
      ),
    ),
  );
}

/**
 * A strip with a square for each value: a letter and a color for the winner.
 * @param {Row[]} rows
 * @param {string[]} names of the sides
 * @param {Layout} laid
 */
export function winners(rows, names, laid) {
  const size = 30;
  const letters = shortNames(names, laid.step < 2 * NARROWEST ? 1 : 2);
  return plot("Who wins with best play", rows.map(({ value, result }) => `${value}: ${result}`).join(", "), rows, size, laid, ({ value, side, result }, x, width) => {
    const kind = side === null ? `nobody ${result.replace(/\W+/g, "-")}` : `side-${side}`;
    const sign = side === null ? { tie: "=", endless: "∞" }[result] ?? "?" : letters[side];
    return s(
      "g",
      { class: `winner ${kind}` },
      s("title", {}, `${value}: ${result}`),
      s("rect", { x, y: TOP, width, height: size, rx: 4 }),
      s("text", { x: x + width / 2, y: TOP + size / 2, "text-anchor": "middle", "dominant-baseline": "central" }, sign),
    );
  });
}

/**
 * One or two letters for each of two names, different from each other.
 * @param {string[]} names
 * @param {number} most
 */
export function shortNames(names, most = 2) {
  const [one, two] = names.map((name) => name.split(/\s+/).map((word) => word.charAt(0)).join("").slice(0, most));
  return one !== two && one && two ? [one, two] : ["1", "2"];
}

/**
 * A bar for each value.
 * @param {string} title
 * @param {Row[]} rows
 * @param {Layout} laid
 * @param {(row: Row) => number | null} amount
 * @param {(amount: number) => string} written
 */
export function bars(title, rows, laid, amount, written) {
  const { left, step } = laid;
  const most = Math.max(0, ...rows.map((row) => amount(row) ?? 0));
  const words = rows.map((row) => `${row.value}: ${amount(row) === null ? "not known" : written(amount(row) ?? 0)}`).join(", ");
  const axis = [
    s("path", { class: "axis", d: `M${left - 4} ${TOP}V${TOP + HEIGHT}H${left + step * rows.length}` }),
    s("text", { class: "tick", x: left - 8, y: TOP + 10, "text-anchor": "end" }, written(most)),
    s("text", { class: "tick", x: left - 8, y: TOP + HEIGHT, "text-anchor": "end" }, "0"),
  ];
  return plot(
    title,
    words,
    rows,
    HEIGHT,
    laid,
    (row, x, width) => {
      const found = amount(row);
      if (found === null) return s("text", { class: "tick", x: x + width / 2, y: TOP + HEIGHT - 6, "text-anchor": "middle" }, "–");
      const height = most ? (found / most) * (HEIGHT - 4) : 0;
      return s("g", { class: "amount" }, s("title", {}, `${row.value}: ${written(found)}`), s("rect", { x, y: TOP + HEIGHT - height, width, height, rx: 2 }));
    },
    axis,
  );
}
