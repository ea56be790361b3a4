// @ts-check
// Opens the page of a table. `?game=SPEC` makes one first; it may say the opponent (the usual level if left out, none for two people at
// this screen), the seat (the first by default, either if empty) and the first move.

import { Refused, post } from "./api.js";
import { find, say } from "./dom.js";
import { WISHES, tableAddress } from "./host.js";
import { ownName } from "./storage.js";
import { missing } from "./trouble.js";

const query = new URLSearchParams(location.search || wishes());

/** What the page before has put down, once. */
function wishes() {
  try {
    const found = sessionStorage.getItem(WISHES) ?? "";
    sessionStorage.removeItem(WISHES);
    return found;
  } catch {
    return "";
  }
}

/** @param {string} game */
async function make(game) {
  const seat = query.get("seat") ?? "0";
  const opponent = query.get("opponent") ?? "level";
  const move = query.get("move");
  const wish = { game, seat: seat === "" ? null : Number(seat), opponent: opponent || null, name: ownName.get(), moves: move ? [move] : [] };
  /** @type {{ table: Api.Table }} */
  const { table } = await post("/api/tables", wish);
  // From here on the page is that of the table: reloaded, it must not make another one.
  history.replaceState(null, "", tableAddress(table.id, location.hash));
}

async function start() {
  const game = query.get("game");
  if (game !== null) {
    say(find("connection"), "Starting Python…");
    say(find("title"), "A new game");
    try {
      await make(game);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      find("connection").hidden = true;
      return missing("The game could not be set up", error.message);
    }
  }
  await import("./table.js");
}

start();
