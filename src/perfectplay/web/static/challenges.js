// @ts-check
// Which challenges against perfect play this browser has solved: what is known about a game, found out at a table.

import { localText } from "./storage.js";

const solved = localText("challenges");
const names = () => solved.get().split(" ").filter(Boolean);

/** @param {string} game */
export const isSolved = (game) => names().includes(game);

/** @param {string} game */
export function rememberSolved(game) {
  if (!isSolved(game)) solved.set([...names(), game].join(" "));
}
