// @ts-check
// What a study page says about the game itself: its title, its players, how it ended, and where else it can be found.

import { find, h, permanentLink, put, say } from "./dom.js";
import { gameLink, recordLink, tableAddress } from "./host.js";
import { settingsWords } from "./settings.js";
import { Solo } from "./subjects.js";

/** @param {import("./subjects.js").Played | import("./subjects.js").Solo} subject */
export function drawHead(subject) {
  say(find("title"), subject.heading);
  say(find("spec"), settingsWords(subject.spec));
  find("spec").dataset.spec = subject.spec;
  document.title = `${subject.heading} · perfectplay`;
  if (subject.solo) return;
  say(find("people"), subject.names.join(" against "));
  put(
    find("links"),
    h("p", {}, h("b", {}, subject.result)),
    h("a", { class: "button", href: tableAddress(subject.table) }, "Back to the table"),
    h("a", { class: "button", id: "to-board" }, "Open on a study board"),
    recordLink(subject.table, subject.number),
    permanentLink(gameLink(subject.table, subject.number)),
  );
}

/**
 * Let the link to a study board open it at the move that is shown.
 * @param {import("./subjects.js").Played} subject
 */
export function linkBoard({ spec, start, moves, ply }) {
  const texts = moves.map((move) => move.text);
  const forfeited = texts.indexOf("forfeit"); // on a study board every turn is a move
  const board = new Solo([], spec, forfeited < 0 ? texts : texts.slice(0, forfeited), start);
  find("to-board").setAttribute("href", board.lineAt(ply));
}
