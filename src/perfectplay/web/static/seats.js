// @ts-check
// The name cards above and below a board.

import { h } from "./dom.js";
import { PEOPLE } from "./host.js";
import { token } from "./pieces.js";
import { isComputer, nameOf } from "./table_words.js";

/**
 * @param {Api.Table} table
 * @param {0 | 1} seat
 * @param {boolean} away whether the player has been away for some seconds, which are counted
 */
export function seatCard(table, seat, away) {
  const side = table.sides[seat];
  const { position } = table;
  const turn = table.status === "running" && position.seat === seat;
  const free = table.names[seat] === null && !isComputer(table, seat);
  const here = table.present[seat];
  const state = free ? "seat is free" : here ? "here" : "not connected";
  const won = table.status === "over" && position.result?.winner_seat === seat;
  const letter = position.view.sides[side][0] ?? "";
  return h(
    "div",
    {
      class: `player side-${side}${turn ? " turn" : ""}${free ? " free" : ""}${won ? " won" : ""}`,
      role: "group",
      "aria-label": `${nameOf(table, seat)}, ${table.side_names[side]}`,
      "data-seat": seat,
    },
    token(side, letter),
    h(
      "span",
      { class: "player-name" },
      h("b", { class: nameOf(table, seat).length > 16 ? "long" : null }, nameOf(table, seat)),
      seat === table.seat && h("span", { class: "you" }, " (you)"),
      h(
        "small",
        {},
        h("span", {}, table.side_names[side]),
        turn && h("span", { class: "to-move" }, ", to move"),
        " ",
        // A computer is always there, and so is whoever sits at this screen.
        PEOPLE && !isComputer(table, seat) && h("span", { class: `presence${here ? " here" : ""}` }, state, away && h("span", { class: "seconds", "data-seat": seat })),
      ),
    ),
    turn && isComputer(table, seat) && h("span", { class: "thinking", role: "img", "aria-label": "thinking" }, h("i", {}), h("i", {}), h("i", {})),
    table.left && h("span", { class: "clock", role: "timer", "data-seat": seat }),
    h("span", { class: "score", "aria-label": `Games won: ${table.score[seat]}` }, String(table.score[seat])),
  );
}
