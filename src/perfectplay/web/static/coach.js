// @ts-check
// Hints during a game, where the page has a coach.

import { get } from "./api.js";
import { announce, find, h, put } from "./dom.js";
import { sideNames } from "./table_words.js";
import { trouble } from "./trouble.js";
import { withNames } from "./words.js";

/**
 * Ask the coach for a move. That a player did so is noted, once, in the record.
 * @param {Api.Table} table
 * @param {(kind: "assisted") => Promise<unknown>} act
 */
export async function hint(table, act) {
  if (!table.moves.some((move) => move.kind === "assisted" && move.seat === table.seat)) await act("assisted");
  const { next } = table;
  try {
    /** @type {string[]} */
    const lines = await get(`/api/tables/${table.id}/hint`);
    if (table.next !== next) return; // the game has gone on
    const words = lines.map((line) => withNames(line, table.side_names, sideNames(table)));
    put(find("hint"), words.map((line) => h("p", {}, line)));
    find("hint").hidden = false;
    find("hint").scrollIntoView({ block: "nearest" }); // on a phone it would be below what is seen
    announce(words.join(" "));
  } catch (error) {
    trouble(error);
  }
}
