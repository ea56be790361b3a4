// @ts-check
// Opens the study page. A link may carry a whole game behind its #: it is kept like the games that were played here.

import { Refused, takeRecords } from "./api.js";
import { drawAudit } from "./audit.js";
import { find, say } from "./dom.js";
import { CONNECTION, gameAddress } from "./host.js";
import { unpack } from "./links.js";
import { showMissing } from "./trouble.js";

const RECORD = "#record=";

/** Keep the game in the address; from here on the page is that of the game. */
async function takeGame() {
  say(find("title"), "Opening the game…");
  const text = await unpack(location.hash.slice(RECORD.length)).catch(() => {
    throw new Refused(0, "link", "This link is not complete, so the game in it cannot be read.");
  });
  const [id] = await takeRecords(text);
  history.replaceState(null, "", gameAddress(id, 1));
}

async function start() {
  say(find("status"), CONNECTION.reconnecting);
  try {
    if (location.hash.startsWith(RECORD)) await takeGame();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return showMissing("The game could not be opened", error.message);
  }
  addEventListener("hashchange", () => location.hash.startsWith(RECORD) && location.reload());
  drawAudit();
  await import("./study.js");
}

start();
