// @ts-check
// Plots of a sweep: who wins, how long a game is, and how many decisions it has, for each value of a parameter.

import { h, s } from "../../src/perfectplay/web/static/dom.js";

/**
 * A row of a sweep. What is null is not known.
 * @typedef {{
 *   value: number, result: string, side: 0 | 1 | null, plies: number | null, decisions: number | null, positions: number | null,
 *   trivial: string | null, fair: boolean | null, equals: number[] | null,
 * }} Row
 */

const [HEIGHT, LEFT, TOP, FOOT] = [110, 40, 8, 22];
const [NARROWEST, WIDEST] = [14, 44];
const WIDE = 250; // of all values together, so that a plot fits on a phone
const LABELS = 20; // the most values that are written below a plot

/** @param {number} count */
const stepOf = (count) => Math.max(NARROWEST, Math.min(WIDEST, WIDE / Math.max(1, count)));

/** How wide a plot of `count` values is. @param {number} count */
export const widthOf = (count) => LEFT + stepOf(count) * count + 6;

/**
 * @param {string} title
 * @param {string} words what a screen reader says
 * @param {Row[]} rows
 * @param {number} height
 * @param {(row: Row, x: number, width: number) => Page.Child} draw
 * @param {Page.Child} [axis]
 */
function plot(title, words, rows, height, draw, axis) {
  const step = stepOf(rows.length);
  const every = Math.ceil(rows.length / LABELS);
  const width = widthOf(rows.length);
  return h(
    "figure",
    { class: `plot${step * rows.length > WIDE ? " wide" : ""}` },
    h("figcaption", {}, title),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": title },
      s(
        "svg",
        { role: "img", "aria-label": words, width, height: TOP + height + FOOT, viewBox: `0 0 ${width} ${TOP + height + FOOT}` },
        axis,
        rows.map((row, i) => [
          draw(row, LEFT + i * step + 1.5, step - 3),
          i % every === 0 && s("text", { class: "tick", x: LEFT + (i + 0.5) * step, y: TOP + height + 15, "text-anchor": "middle" }, String(row.value)),
        ]),
      ),
    ),
  );
}

/**
 * A strip with a square for each value: a letter and a color for the winner.
 * @param {Row[]} rows
 * @param {string[]} names of the sides
 */
export function winners(rows, names) {
  const size = 30;
  const letters = shortNames(names);
  return plot("Who wins with best play", rows.map(({ value, result }) => `${value}: ${result}`).join(", "), rows, size, ({ value, side, result }, x, width) => {
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
 */
export function shortNames(names) {
  const [one, two] = names.map((name) => name.split(/\s+/).map((word) => word.charAt(0)).join("").slice(0, 2));
  return one !== two && one && two ? [one, two] : ["1", "2"];
}

/**
 * A bar for each value.
 * @param {string} title
 * @param {Row[]} rows
 * @param {(row: Row) => number | null} amount
 * @param {(amount: number) => string} written
 */
export function bars(title, rows, amount, written) {
  const most = Math.max(0, ...rows.map((row) => amount(row) ?? 0));
  const words = rows.map((row) => `${row.value}: ${amount(row) === null ? "not known" : written(amount(row) ?? 0)}`).join(", ");
  const axis = [
    s("path", { class: "axis", d: `M${LEFT - 4} ${TOP}V${TOP + HEIGHT}H${LEFT + stepOf(rows.length) * rows.length}` }),
    s("text", { class: "tick", x: LEFT - 8, y: TOP + 10, "text-anchor": "end" }, written(most)),
    s("text", { class: "tick", x: LEFT - 8, y: TOP + HEIGHT, "text-anchor": "end" }, "0"),
  ];
  return plot(
    title,
    words,
    rows,
    HEIGHT,
    (row, x, width) => {
      const found = amount(row);
      if (found === null) return s("text", { class: "tick", x: x + width / 2, y: TOP + HEIGHT - 6, "text-anchor": "middle" }, "–");
      const height = most ? (found / most) * (HEIGHT - 4) : 0;
      return s("g", { class: "amount" }, s("title", {}, `${row.value}: ${written(found)}`), s("rect", { x, y: TOP + HEIGHT - height, width, height, rx: 2 }));
    },
    axis,
  );
}
