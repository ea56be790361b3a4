// @ts-check
// A sweep: the game with each value of a parameter, one after the other, drawn as they come.

import { announce, h, put } from "../../src/perfectplay/web/static/dom.js";
import { countWords } from "../../src/perfectplay/web/static/words.js";
import { drawSweep } from "./parameters.js";

const MOST = 60; // values in one sweep

/**
 * What is wrong with a range; empty if it can be swept.
 * @param {number} from
 * @param {number} to
 */
export function wrongRange(from, to) {
  const fine = Number.isInteger(from) && Number.isInteger(to) && from <= to && to - from < MOST;
  return fine ? "" : `Choose two whole numbers, the smaller one first, at most ${MOST} values.`;
}

/**
 * @param {Element} place
 * @param {{ parameter: string, from: number, to: number, names: string[] }} wanted
 * @param {(value: number) => Promise<{ row: import("./plots.js").Row | null } | null>} ask null if the sweep should end
 */
export async function runSweep(place, { parameter, from, to, names }, ask) {
  /** @type {import("./plots.js").Row[]} */
  const rows = [];
  put(place, h("p", { class: "quiet" }, "Sweeping…"));
  for (let value = from; value <= to; value += 1) {
    const found = await ask(value);
    if (!found) return;
    if (found.row) rows.push(found.row);
    drawSweep(place, parameter, rows, names);
  }
  if (!rows.length) put(place, h("p", {}, "The game allows none of these values."));
  announce(`Sweep of ${parameter}: ${countWords(rows.length, "value")}.`);
}
