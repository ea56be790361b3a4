// @ts-check
// What a table has besides the game: the guide through a first game, a puzzle, notices, and the move to another device.

import { get } from "./api.js";
import { find, h, put } from "./dom.js";
import { drawGuide } from "./guide.js";
import { PEOPLE } from "./host.js";
import { isNews, noticeButton, notify, standing } from "./notice.js";
import { drawTransfer } from "./transfer.js";

/** @type {ReturnType<typeof standing> | null} */
let before = null;

/** @param {Api.Table} table */
export function drawExtras(table) {
  drawGuide(find("guide"), table);
  if (!PEOPLE) return;
  drawTransfer(find("transfer"), table);
  const now = standing(table);
  if (before?.seat !== now.seat && now.seat !== null) noticeButton(find("notice"));
  if (isNews(before, now)) notify(table).catch(() => {}); // the browser may have changed its mind
  before = now;
}

/**
 * What is known about the game, for those who go first against perfect play and try to find out how.
 * @param {Api.Table} table
 */
export async function drawPuzzle(table) {
  if (table.seat !== 0 || table.players[1] !== "perfect" || table.game.includes(":")) return;
  /** @type {Api.Game[]} */
  const games = await get("/api/games");
  const text = games.find((game) => game.name === table.game)?.puzzle;
  if (!text) return;
  put(find("puzzle"), h("h2", {}, "Puzzle"), h("p", {}, text));
  find("puzzle").hidden = false;
}
