// @ts-check
// What a table has besides the game: the guide through a first game, notices, and the move to another device.

import { find } from "./dom.js";
import { drawGuide } from "./guide.js";
import { isNews, noticeButton, notify, standing } from "./notice.js";
import { drawTransfer } from "./transfer.js";

/** @type {ReturnType<typeof standing> | null} */
let before = null;

/** @param {Api.Table} table */
export function drawExtras(table) {
  drawGuide(find("guide"), table);
  drawTransfer(find("transfer"), table);
  const now = standing(table);
  if (before?.seat !== now.seat && now.seat !== null) noticeButton(find("notice"));
  if (isNews(before, now)) notify(table).catch(() => {}); // the browser may have changed its mind
  before = now;
}
