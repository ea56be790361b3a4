// @ts-check
// The puzzles of the day on the home page: of which game, how hard they are, and which are solved.

import { get } from "./api.js";
import { find, h, put } from "./dom.js";
import { exercisesAddress } from "./host.js";
import { journal } from "./journal.js";
import { resultOf } from "./results.js";
import { dueExercises } from "./schedule.js";
import { dayOf, sign } from "./streak.js";
import { countWords } from "./words.js";

/** How many exercises are due, if any are. */
export function drawDue() {
  const due = dueExercises(journal().exercises, dayOf(new Date())).length;
  put(find("due"), due > 0 && h("a", { href: exercisesAddress("") }, `${countWords(due, "exercise")} from your games ${due === 1 ? "is" : "are"} due`));
}

let shown = ""; // the day of the puzzles on the page

/** Show them once a day. A server that is busy with other answers is asked again at the next refresh. */
export async function drawPuzzles() {
  const today = dayOf(new Date());
  if (shown === today) return;
  /** @type {Api.DailyPuzzle[]} */
  const puzzles = await get(`/api/puzzles/${today}`).catch(() => []);
  if (puzzles.length) shown = today;
  put(find("puzzle-list"), puzzles.map((each) => row(each, today)));
}

/**
 * @param {Api.DailyPuzzle} puzzle
 * @param {string} day
 */
function row({ name, title, difficulty }, day) {
  const result = resultOf(day, name);
  const words = result?.solved || result?.shown ? sign(result).words : "";
  return h("li", {}, h("a", { href: `/puzzles#${day}/${name}` }, h("b", {}, title), h("small", {}, words || difficulty)));
}
