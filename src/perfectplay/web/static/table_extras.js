// @ts-check
// What a table has besides the game: the guide through a first game, a puzzle, notices, and the move to another device.

import { get } from "./api.js";
import { find, h, put } from "./dom.js";
import { drawGuide } from "./guide.js";
import { PEOPLE } from "./host.js";
import { isNews, noticeButton, notify, standing } from "./notice.js";
import { patiently } from "./patience.js";
import { other } from "./table_words.js";
import { drawTransfer } from "./transfer.js";

/** @type {ReturnType<typeof standing> | null} */
let before = null;

/** @param {Api.Table} table */
export function drawExtras(table) {
  drawGuide(find("guide"), table);
  find("puzzle").hidden = !(isPuzzle(table) && find("puzzle").hasChildNodes());
  if (!PEOPLE) return;
  drawTransfer(find("transfer"), table);
  const now = standing(table);
  if (before?.seat !== now.seat && now.seat !== null) noticeButton(find("notice"));
  if (isNews(before, now)) notify(table).catch(() => {}); // the browser may have changed its mind
  before = now;
}

/**
 * Whether the user goes first against perfect play, and tries to find out how to win. In a rematch the other one goes first.
 * @param {Api.Table} table
 */
const isPuzzle = ({ seat, moves, position, players }) =>
  seat !== null && seat === (moves[0] ?? position).seat && players[other(seat)] === "perfect";

/**
 * Write down what is known about the game; `drawExtras` shows it to those whom it is for.
 * @param {Api.Table} table
 */
export async function readPuzzle(table) {
  if (!table.players.includes("perfect") || table.game.includes(":")) return;
  /** @type {Api.Game[]} */
  const games = await patiently(() => get("/api/games"));
  const text = games.find((game) => game.name === table.game)?.puzzle;
  if (text) put(find("puzzle"), h("h2", {}, "Puzzle"), h("p", {}, text));
}
