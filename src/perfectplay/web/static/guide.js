// @ts-check
// The guide through a first game. What it says follows from the table; it knows no game.

import { h, put, say } from "./dom.js";
import { localText } from "./storage.js";
import { isComputer, nameOf, other, stepsWords } from "./table_words.js";
import { joinWords, sentence } from "./words.js";

/** The end of the address of a table with a guide. */
export const GUIDED = "#guide";

const guided = localText("guided");

/** Whether this device has not seen a guided game yet. */
export const firstVisit = () => guided.get() === "";

/**
 * What to say at this point of a game: what the user is, how to move, what the marks mean, what to do afterwards.
 * @param {Api.Table} table
 * @param {{ buttons: string[], study: string }} seen the moves that have a button, and the name of the link to the study of the game
 */
export function guideWords(table, seen) {
  const { position, seat, status } = table;
  if (seat === null || status === "open") return "";
  const side = table.sides[seat];
  const { aims, note } = position.view;
  const opponent = isComputer(table, other(seat)) ? "The computer" : nameOf(table, other(seat));
  if (status !== "running") {
    if (!position.result?.finished) return "The game is over. Start another one whenever you like.";
    const won = position.result.winner_seat === seat;
    return won
      ? `You won, and that was a whole game. Press “${seen.study}” to see which moves were sure to win.`
      : `That was a whole game. Press “${seen.study}” to see what every move was worth.`;
  }
  const own = table.moves.filter((move) => move.seat === seat).length;
  if (position.seat !== seat) return `${opponent} is to move. Your goal: ${lower(aims[side])}`;
  if (own === 0) return `You play the ${side === 0 ? "round, orange" : "square, blue"} pieces. ${sentence(aims[side])} ${how(position.view, seen)}`;
  if (own === 1) return `${opponent} answered: the edge marks its last move. ${note ? sentence(note) : how(position.view, seen)}`;
  if (own === 2) return "The list of moves lets you look back. “Take back” undoes your last move.";
  return `Keep going: ${lower(aims[side])}`;
}

/** @param {string} text */
const lower = (text) => sentence(text).replace(/^./, (first) => first.toLowerCase());

/**
 * How to move. A move has a cell or a button, never both.
 * @param {Api.View} view
 * @param {{ buttons: string[] }} seen
 */
function how(view, { buttons }) {
  const ways = buttons.length ? ["a button below the board"] : [];
  if (view.rows.flat().some(({ text }) => text !== null && !buttons.includes(text))) ways.unshift("a cell with a sign");
  return stepsWords(view) || `Press ${joinWords(ways, "or")}.`;
}

/** What the page shows, which is drawn before the guide. */
function readPage() {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("#controls [data-move]");
  return { buttons: [...buttons].map((each) => each.dataset.move ?? ""), study: document.querySelector("#ending a")?.textContent ?? "" };
}

/**
 * Show the guide, if the address asks for it, until it is closed or another page is opened.
 * @param {HTMLElement} place
 * @param {Api.Table} table
 */
export function drawGuide(place, table) {
  const words = location.hash === GUIDED ? guideWords(table, readPage()) : "";
  place.hidden = !words;
  if (!words) return;
  if (!place.children.length) {
    const close = h("button", { type: "button", class: "plain", onclick: () => closeGuide(place) }, "Close", h("span", { class: "unseen" }, " the guide"));
    put(place, h("p", { class: "guide-words" }), close);
  }
  const line = place.querySelector(".guide-words");
  if (line) say(line, words);
  if (table.status !== "running") guided.set("yes");
}

/** @param {HTMLElement} place */
function closeGuide(place) {
  guided.set("yes");
  history.replaceState(null, "", `${location.pathname}${location.search}`);
  place.hidden = true;
}
