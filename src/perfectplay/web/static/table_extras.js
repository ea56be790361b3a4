// @ts-check
// What a table has besides the game: the guide through a first game, a puzzle, notices, and the move to another device.

import { get } from "./api.js";
import { rememberSolved } from "./challenges.js";
import { find, h, put } from "./dom.js";
import { drawGuide } from "./guide.js";
import { PEOPLE } from "./host.js";
import { isNews, noticeButton, notify, turnOf } from "./notice.js";
import { patiently } from "./patience.js";
import { parseSpec } from "./settings.js";
import { other } from "./table_words.js";
import { drawTransfer } from "./transfer.js";
import { wonGame } from "./won_game.js";

/** @type {ReturnType<typeof turnOf> | null} */
let before = null;

/** @param {Api.Table} table */
export function drawExtras(table) {
  drawGuide(find("guide"), table);
  drawPuzzle(table);
  drawWon(table);
  if (!PEOPLE) return;
  drawTransfer(find("transfer"), table);
  const now = turnOf(table);
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

/** What is known about the game of the table, once it has been asked for. @type {Api.Game | undefined} */
let about;

/**
 * Find out what there is to say about the game: what a win looks like, and what to find out about it.
 * @param {Api.Table} table
 */
export async function readAbout(table) {
  /** @type {Api.Game[]} */
  const games = await patiently(() => get("/api/games"));
  about = games.find((game) => game.name === parseSpec(table.game).name);
}

/**
 * What a win looks like, until the user has made a move.
 * @param {Api.Table} table
 */
function drawWon({ status, seat, moves }) {
  const fresh = status === "open" || (status === "running" && !moves.some((move) => move.seat === (seat ?? move.seat)));
  const place = find("won");
  place.hidden = !fresh || !about;
  if (fresh && about && !place.hasChildNodes()) put(place, wonGame(about));
}

/**
 * The question about a game against perfect play, or, once its answer was found, that.
 * @param {Api.Table} table
 */
function drawPuzzle(table) {
  const place = find("puzzle");
  const asked = about?.puzzle && table.players.includes("perfect") && table.game === about.name && isPuzzle(table);
  place.hidden = !asked;
  if (!asked || !about) return;
  const { result } = table.position;
  const won = result?.finished === true && result.winner_seat === table.seat;
  const solved = won || table.repeated >= 3;
  if (solved) rememberSolved(about.name);
  if (place.dataset.solved === String(solved)) return;
  place.dataset.solved = String(solved);
  put(place, h("h2", {}, solved ? "Solved" : "Challenge"), h("p", {}, solved ? about.puzzle_solved : about.puzzle));
}
