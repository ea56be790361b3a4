// @ts-check
// What this browser remembers of puzzles: the result of each, and the days of the streak.

import { addSolved } from "./streak.js";

const KEY = "perfectplay-puzzles";
const MOST = 500; // results that are kept

/** @typedef {{ results: Record<string, import("./streak.js").PuzzleResult>, days: string[] }} Kept */

/** @type {Kept} */
let kept = { results: {}, days: [] };
let stored = true; // without storage, or once it is full, the results last as long as the page
read();

function read() {
  if (!stored) return;
  try {
    const { results, days } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    kept = { results: results instanceof Object ? results : {}, days: Array.isArray(days) ? days : [] };
  } catch {
    // What is known to this page stays.
  }
}

function write() {
  const latest = Object.entries(kept.results).slice(-MOST);
  kept = { results: Object.fromEntries(latest), days: kept.days.slice(-MOST) };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    stored = false;
  }
}

/**
 * @param {string} day
 * @param {string} name
 * @returns {import("./streak.js").PuzzleResult | undefined}
 */
export const resultOf = (day, name) => kept.results[`${day}/${name}`];

export const keptDays = () => kept.days;

/**
 * Remember what became of an attempt. Once a puzzle is solved or its answer has been shown, its result stays.
 * @param {string} day
 * @param {string} name
 * @param {"wrong" | "solved" | "shown"} what
 * @param {string} today
 */
export function remember(day, name, what, today) {
  read(); // another tab may have written meanwhile
  const before = resultOf(day, name) ?? { tries: 0, solved: false, shown: false };
  if (before.solved || before.shown) return;
  const tried = what === "shown" ? before.tries : before.tries + 1;
  delete kept.results[`${day}/${name}`]; // the latest result comes last
  kept.results[`${day}/${name}`] = { tries: tried, solved: what === "solved", shown: what === "shown" };
  if (what === "solved") kept.days = addSolved(kept.days, day, today);
  write();
}
