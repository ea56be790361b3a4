// @ts-check
// Opens the page of a table. `?game=SPEC` makes one first; it may say the opponent (the usual level if left out, none for two people at
// this screen), the seat (the first by default, either if empty) and the first move.

import { Refused, begin } from "./api.js";
import { find, say } from "./dom.js";
import { WISHES, beAt, tableAddress } from "./host.js";
import { ownName, sessionText } from "./storage.js";
import { showMissing } from "./trouble.js";

const waiting = sessionText(WISHES);
const query = new URLSearchParams(location.search || waiting.get());

/** @param {string} game */
async function make(game) {
  const seat = query.get("seat") ?? "0";
  if (!/^[01]?$/.test(seat)) throw new Refused(0, "seat", `seat=${seat}: must be 0 for the first player, 1 for the second, or nothing for either`);
  const opponent = query.get("opponent") ?? "level";
  const move = query.get("move");
  const { id, made } = await begin({
    game,
    seat: seat === "" ? null : /** @type {0 | 1} */ (Number(seat)),
    opponent: opponent || null,
    name: ownName.get(),
    moves: move ? [move] : [],
  });
  beAt(id);
  // From then on the page is that of the table: reloaded, it must not make another one. Until then, it must.
  made.then(() => {
    waiting.set("");
    history.replaceState(null, "", tableAddress(id, location.hash));
  }, () => {}); // the page says so
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
      return showMissing("The game could not be set up", error.message);
    }
  }
  await import("./table.js");
}

start();
