// @ts-check
// The home page: a board to play on at once, who is there, one's own games, and every game.

import { get } from "./api.js";
import { complain, find, say } from "./dom.js";
import { card, drawPicture } from "./home_cards.js";
import { Hero } from "./home_hero.js";
import { drawDue, drawPuzzles } from "./home_puzzles.js";
import { allWords, drawList, inOrder, lobbyRow, ownRow } from "./home_lists.js";
import { PEOPLE, opponents } from "./host.js";
import { unfold } from "./new_table.js";
import { ownName } from "./storage.js";
import { trouble } from "./trouble.js";

const REFRESH = 5000;
let begun = false; // whether the games are on the page
let failed = false; // whether the error on the page is from the last refresh

async function refreshOwn() {
  /** @type {Api.OwnList} */
  const { tables } = await get("/api/seats");
  find("own").hidden = tables.length === 0;
  drawList("seats", inOrder(tables), ownRow, "");
  say(find("own-all"), allWords(tables));
  const turns = tables.filter((table) => table.status === "running" && table.turn === table.seat).length;
  document.title = turns ? `(${turns}) Your turn · perfectplay` : "perfectplay";
  return tables;
}

async function refreshOthers() {
  /** @type {Api.List} */
  const { open, running, finished } = await get("/api/tables");
  drawList("open", open, lobbyRow, "Nobody is waiting right now. Press “Play anyone now” to be the first.");
  drawList("running", [...running, ...finished], lobbyRow, "");
  find("playing").hidden = running.length + finished.length === 0;
  await drawPicture(running);
}

/** Show the games. The user's own are near the top: drawn later, they would move the rest under the pointer. */
async function begin() {
  /** @type {[Api.Game[], Api.Own[], { spec: string, title: string }[]]} */
  const [games, own, others] = await Promise.all([get("/api/games"), refreshOwn(), opponents()]);
  begun = true;
  new Hero(games, own.length === 0);
  find("puzzles").before(...games.map((game) => card(game, others)));
  drawDue();
  find("games").removeAttribute("aria-busy");
  const wanted = document.getElementById(location.hash.slice(1));
  unfold(wanted?.closest(".game"));
  wanted?.scrollIntoView();
}

async function refresh() {
  try {
    if (!begun) await begin();
    if (PEOPLE) drawPuzzles(); // which may take longer than the rest
    await Promise.all([refreshOwn(), PEOPLE ? refreshOthers() : null]);
    if (failed) complain("");
    failed = false;
  } catch (error) {
    failed = true;
    trouble(error);
  }
}

function start() {
  find("name").value = ownName.get();
  find("name").addEventListener("change", () => ownName.set(find("name").value.trim()));
  addEventListener("pageshow", ({ persisted }) => {
    // When the browser goes back to this page, what was pressed is still disabled.
    if (persisted) location.reload();
  });
  keepUp();
}

/** Refresh the page again and again, but not before the last time has come to an end. */
async function keepUp() {
  try {
    if (document.visibilityState === "visible" || !begun) await refresh();
  } finally {
    setTimeout(keepUp, REFRESH);
  }
}

start();
