// @ts-check
// The parameters of a game as sliders and choices, and a sweep over the range of one of them.

import { h, put, say } from "../../src/perfectplay/web/static/dom.js";
import { table } from "./panels.js";
import { bars, layout, winners } from "./plots.js";
import { sliderRange } from "./words.js";

/**
 * @typedef {{
 *   name: string, doc: string, default: string, allowed: string, value: string, kind: "whole" | "choice" | "text",
 *   choices: string[], least: number | null, most: number | null,
 * }} Parameter
 */

/**
 * Fields for the parameters. `changed(name, value)` is called with what the user sets.
 * @param {Element} place
 * @param {Parameter[]} parameters
 * @param {(name: string, value: string) => unknown} changed
 * @param {string} [prefix] of the ids
 */
export function drawParameters(place, parameters, changed, prefix = "parameter") {
  put(
    place,
    parameters.map((parameter) => {
      const { name, doc, value, kind, choices } = parameter;
      const id = `${prefix}-${name}`;
      const label = h("label", { for: id }, h("b", {}, name), " ", doc);
      if (kind === "choice") {
        /** @type {HTMLSelectElement} */
        const field = h("select", { id, onchange: () => changed(name, field.value) }, choices.map((each) => h("option", { value: each }, each)));
        field.value = value;
        return h("p", { class: "parameter" }, label, field);
      }
      if (kind === "text") {
        /** @type {HTMLInputElement} */
        const field = h("input", { id, maxlength: "40", autocomplete: "off", onchange: () => changed(name, field.value.trim()) });
        field.value = value;
        return h("p", { class: "parameter" }, label, field);
      }
      const { from, to } = sliderRange(parameter);
      const shown = h("output", { for: id }, value);
      /** @type {HTMLInputElement} */
      const slider = h("input", {
        id,
        type: "range",
        min: from,
        max: to,
        oninput: () => say(shown, slider.value),
        onchange: () => changed(name, slider.value),
      });
      slider.value = value;
      return h("p", { class: "parameter slider" }, label, h("span", { class: "range" }, slider, shown));
    }),
  );
}

/**
 * The form of a sweep; null if no parameter is a number.
 * @param {Parameter[]} parameters
 * @param {(name: string, from: number, to: number) => unknown} run
 */
export function sweepForm(parameters, run) {
  const numbers = parameters.filter(({ kind }) => kind === "whole");
  if (!numbers.length) return null;
  const chooser = h("select", { id: "sweep-parameter", onchange: () => fill() }, numbers.map(({ name }) => h("option", { value: name }, name)));
  const from = h("input", { id: "sweep-from", type: "number", step: "1", required: true });
  const to = h("input", { id: "sweep-to", type: "number", step: "1", required: true });
  const fill = () => {
    const chosen = numbers.find(({ name }) => name === chooser.value) ?? numbers[0];
    const range = sliderRange(chosen);
    from.value = String(Math.max(0, range.from));
    to.value = String(Math.min(range.to, Math.max(0, range.from) + 11));
  };
  fill();
  return h(
    "form",
    {
      class: "sweep-form",
      onsubmit: (event) => {
        event.preventDefault();
        run(chooser.value, Number(from.value), Number(to.value));
      },
    },
    h("span", {}, h("label", { for: "sweep-parameter" }, "Sweep "), chooser),
    h("span", {}, h("label", { for: "sweep-from" }, "from "), from),
    h("span", {}, h("label", { for: "sweep-to" }, "to "), to),
    h("button", { type: "submit" }, "Sweep"),
  );
}

/** @param {number | null} number */
const orDash = (number) => (number === null ? "–" : number.toLocaleString("en"));

/**
 * The rows of a sweep as plots and as a table.
 * @param {Element} place
 * @param {string} parameter
 * @param {import("./plots.js").Row[]} rows
 * @param {string[]} names
 */
export function drawSweep(place, parameter, rows, names) {
  if (!rows.length) return;
  const head = [parameter, "perfect play", "moves", "decisions", "positions", "equal players win", "fair", "trivial"];
  const lines = rows.map(({ value, result, plies, decisions, positions, rates, fair, trivial }) => [
    String(value),
    result,
    orDash(plies),
    decisions === null ? "–" : oneDecimal(decisions),
    orDash(positions),
    rates ?? "–",
    fair === null ? "–" : fair ? "yes" : "no",
    trivial ?? "no",
  ]);
  const plots = h("div", {});
  put(
    place,
    plots,
    table(`Sweep of ${parameter}`, head, lines),
    h(
      "p",
      { class: "quiet small-print" },
      "A decision is a position where the choice changes who wins. Equal players are two of level 5; a game is fair if neither wins more than 55% of the games. A dash means not known: the game is too large, or has no fixed length.",
    ),
  );
  let width = 0;
  const draw = () => {
    if (plots.clientWidth === width) return; // drawing changes the height
    width = plots.clientWidth;
    drawPlots(plots, rows, names);
  };
  draw();
  new ResizeObserver(draw).observe(plots);
}

/** @param {number} amount */
const oneDecimal = (amount) => amount.toFixed(1);

/**
 * @param {HTMLElement} place
 * @param {import("./plots.js").Row[]} rows
 * @param {string[]} names
 */
function drawPlots(place, rows, names) {
  const amounts = rows.flatMap(({ plies, decisions }) => [String(plies ?? ""), decisions === null ? "" : oneDecimal(decisions)]);
  const laid = layout(place.clientWidth, rows.map(({ value }) => String(value)), amounts);
  place.className = laid.beside ? "plots beside" : "plots";
  put(
    place,
    winners(rows, names, laid),
    bars("Length with best play, in moves", rows, laid, (row) => row.plies, String),
    bars("Decisions per game of random moves", rows, laid, (row) => row.decisions, oneDecimal),
  );
}
