// @ts-check
// The lines above and below a board at a table: whose turn it is and what to do, or how the game ended.

import { find, say } from "./dom.js";
import { unsentWords } from "./host.js";
import { reason, stepsWords, tableVerdict, turnWords } from "./table_words.js";

/**
 * @param {Api.Table} table
 * @param {number | null} browsing the ply that is shown, or null to follow the game
 * @param {string} unsent the kind of event that waits for the connection, if there is one
 * @param {string} turning where the game turned, once that is known
 */
export function drawStatus(table, browsing, unsent, turning) {
  const { position, status, seat } = table;
  const turn = status === "running" && position.seat === seat;
  const over = status === "over" && browsing === null;
  const side = seat === null ? null : table.sides[seat];
  say(find("status"), headline(table, browsing, unsent));
  find("status").className = `status${turn && browsing === null ? " yours" : ""}${over ? ` verdict ${feeling(table)}` : ""}`;
  const aim = status === "running" && side !== null && browsing === null ? position.view.aims[side] : "";
  const steps = turn && aim ? stepsWords(position.view) : "";
  say(find("aim"), over ? reason(table) : `${aim} ${steps}`.trim());
  find("aim").className = `aim${!over && side !== null ? ` side-${side}` : ""}`;
  say(find("note"), status === "over" ? turning : position.view.note);
  document.title = `${turn ? "Your turn · " : ""}${table.title} · perfectplay`;
}

/**
 * @param {Api.Table} table
 * @param {number | null} browsing
 * @param {string} unsent
 */
function headline(table, browsing, unsent) {
  const { position, status, seat } = table;
  if (browsing !== null) {
    const turn = status === "running" && position.seat === seat;
    return `Looking back: ${browsing === 0 ? "before move 1" : `after move ${browsing}`} of ${position.ply}.${turn ? " It is your turn." : ""}`;
  }
  if (unsent) return unsentWords(unsent);
  return status === "over" ? tableVerdict(table) : turnWords(table);
}

/**
 * Whether the end of a game is good or bad for the user.
 * @param {Api.Table} table
 */
function feeling({ position: { result }, seat }) {
  if (!result?.finished || result.winner_seat === null) return "even";
  return seat !== null && result.winner_seat !== seat ? "lost" : "won";
}
