// @ts-check
// What a table says: the names of its players, whose turn it is, what has just happened, and how the game ended.

import { PEOPLE } from "./host.js";
import { capital, joinWords, listText, moveWords, moveWordsInFull, verdict, whyNot } from "./words.js";

/** What can be offered: in words, as a button's explanation, and on the button. @type {Record<string, [string, string, string]>} */
export const OFFERS = {
  takeback: ["take back a move", "Ask to take back your last move", "Take back"],
  abandon: ["abandon the game", "Offer to end the game as unfinished", "Abandon"],
  rematch: ["play again, this time with the other player going first", "Offer another game, in which the other player goes first", "Rematch"],
};

export const MOVED = "Your seat has moved to another device. Here you can watch.";
export const BACK = "You have your seat on this device now.";

export const REPEATED = "This position has come up for the third time: the game may go on forever.";

/**
 * Whether a game goes in circles.
 * @param {Api.Table} table
 */
export const repeats = ({ status, repeated }) => status === "running" && repeated >= 3;

/** @param {number | null} seat */
export const other = (seat) => (seat === 0 ? 1 : 0);

/**
 * @param {Api.Table} table
 * @param {number | null} seat
 */
export function nameOf(table, seat) {
  if (seat === null) return "Someone";
  return table.names[seat] || (table.names[seat] === null ? "Nobody yet" : `Guest ${seat + 1}`);
}

/**
 * @param {Api.Table} table
 * @param {number | null} seat
 */
export function subjectOf(table, seat) {
  if (seat !== null && seat === table.seat) return "You";
  return isComputer(table, seat) ? "The computer" : nameOf(table, seat);
}

/**
 * A subject within a sentence.
 * @param {string} subject
 */
export const within = (subject) => (["You", "The computer"].includes(subject) ? subject.toLowerCase() : subject);

/**
 * Whether the computer has a seat.
 * @param {Api.Table} table
 * @param {number | null} seat
 */
export const isComputer = (table, seat) => seat !== null && table.players[seat] !== null;

/**
 * Whether two people share this screen; whoever is to move has the seat.
 * @param {Api.Table} table
 */
export const isShared = (table) => !PEOPLE && table.players.every((player) => player === null);

/**
 * The names of side 0 and side 1.
 * @param {Api.Table} table
 */
export function sideNames(table) {
  return [0, 1].map((side) => {
    const seat = table.sides.indexOf(/** @type {0 | 1} */ (side));
    return table.names[seat] === null ? table.side_names[side] : nameOf(table, seat);
  });
}

/**
 * The end of a game in two words.
 * @param {Api.Table} table
 */
export function tableVerdict(table) {
  const { result } = table.position;
  return verdict(result?.finished ?? false, result?.winner_seat ?? null, (seat) => subjectOf(table, seat), table.seat);
}

/**
 * Why a game ended so, in a sentence.
 * @param {Api.Table} table
 */
export function reason(table) {
  const { result } = table.position;
  if (!result) return "";
  const seat = result.winner_seat;
  return fillIn(result.why, seat === null ? {} : { winner: subjectOf(table, seat), loser: subjectOf(table, other(seat)) });
}

/**
 * A sentence with the names of the winner and the loser in it.
 * @param {string} text
 * @param {Record<string, string>} names
 */
export function fillIn(text, names) {
  const words = text.replace(/\{(winner|loser)\}/g, (_, who, at) => (at > 0 ? within(names[who]) : names[who]));
  return capital(words);
}

/** @param {Api.Table} table */
export function turnWords(table) {
  if (table.status === "open") return "Waiting for an opponent.";
  if (table.status === "closed") return `The table is closed: ${table.closed}.`;
  if (table.status === "over") return `${tableVerdict(table)}. ${reason(table)}`;
  const { seat } = table.position;
  return seat === table.seat ? "It is your turn." : `${subjectOf(table, seat)} to move.`;
}

/**
 * Why a cell cannot be chosen. Spectators cannot choose anything, so they are told nothing.
 * @param {Api.Table} table
 * @param {Api.Cell} cell
 * @param {{ browsing: boolean, sending: boolean }} now
 */
export function whyNotNow(table, cell, { browsing, sending }) {
  if (table.seat === null) return "";
  if (browsing) return "You are looking at an earlier position. Return to the game to move.";
  if (table.status === "over") return "The game is over.";
  if (table.status !== "running" || table.position.seat !== table.seat) return turnWords(table);
  return sending ? "Your last action is still being processed." : whyNot(cell, table.position.view, "sign");
}

/**
 * What is offered, in words. Once a game was played, whoever goes first in a rematch is named.
 * @param {Api.Table} table
 * @param {string} what
 */
export function offerWords(table, what) {
  const [words] = OFFERS[what] ?? [what];
  const first = table.moves.find(({ ply }) => ply !== null)?.seat;
  return first === undefined ? words : words.replace("the other player", within(subjectOf(table, other(first))));
}

/**
 * What has just happened, for those who hear it.
 * @param {Api.Table} table
 * @param {Api.Event} event
 */
export function story(table, event) {
  const who = subjectOf(table, event.seat);
  const offered = offerWords(table, event.text);
  const { last } = table.position;
  const told = /** @type {Record<string, string>} */ ({
    sit: `${who} sat down.`,
    move: `${who} played ${last ? moveWordsInFull({ ...last, text: event.text }, table.position) : event.text}.`,
    forfeit: `${who} lost the turn: “${event.text}” is not valid.`,
    offer: `${who} ${event.seat === table.seat ? "ask" : "asks"} to ${offered}.`,
    accept: `${who} accepted the request to ${OFFERS[event.text]?.[0] ?? event.text}.`, // by now the table shows the next game
    decline: `${who} declined the request to ${offered}.`,
    close: `The table was closed: ${table.closed ?? event.text}.`,
    assisted: `${who} asked the coach.`,
  })[event.kind] ?? ""; // how a game ended is in the words about the turn
  if (event.kind === "offer" || event.kind === "decline") return told;
  return `${told} ${turnWords(table)} ${event.kind === "move" && table.repeated === 3 ? REPEATED : ""}`.trim();
}

/**
 * How to move: what to pick first where a move takes two steps.
 * @param {Api.View} view
 */
export function stepsWords(view) {
  const ends = [...new Set(view.controls.filter((control) => control.adds !== null).map((control) => control.group))];
  if (ends.length < 2) return "";
  return `Pick ${view.text_field?.wants ?? "one"}, then ${joinWords(ends, "or")}.`;
}

/**
 * @param {Api.Table} table
 * @param {Api.Move} move
 */
export function lastWords(table, move) {
  const { seat, kind, events } = move;
  const also = events.length ? ` (${events.join(", ")})` : "";
  if (kind === "forfeit") return `Last: ${subjectOf(table, seat)} lost the turn.`;
  return `Last: ${subjectOf(table, seat)} played ${moveWords(move)}${also}.`;
}

/**
 * The moves for the list. A resignation is not listed.
 * @param {Api.Table} table
 * @returns {Page.ListedMove[]}
 */
export function listMoves(table) {
  return table.moves.flatMap((move) => {
    const { ply, side, seat, kind, events } = move;
    const lost = kind === "forfeit" ? "lost turn" : "";
    return ply === null ? [] : [{ ply, side, name: nameOf(table, seat), text: lost || listText(move), words: lost || moveWords(move), note: events.join(", ") }];
  });
}
