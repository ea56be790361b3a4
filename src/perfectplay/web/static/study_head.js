// @ts-check
// What a study page says about the game itself: its title, its players, how it ended, and where else it can be found.

import { getText } from "./api.js";
import { copyButton, find, h, permanentLink, put, say } from "./dom.js";
import { gameLink, recordLink, tableAddress } from "./host.js";
import { pictureButtons } from "./picture.js";
import { settingsWords } from "./settings.js";
import { Solo } from "./subjects.js";

/**
 * @param {import("./subjects.js").Played | import("./subjects.js").Solo} subject
 * @param {() => string} position the text of the position that is shown
 */
export function drawHead(subject, position) {
  say(find("title"), subject.heading);
  say(find("spec"), settingsWords(subject.spec));
  find("spec").dataset.spec = subject.spec;
  document.title = `${subject.heading} · perfectplay`;
  const describe = () => [subject.title, subject.solo ? "" : subject.names.join(" against "), find("status").textContent ?? ""];
  const share = [copyButton("Copy the position", position), pictureButtons(() => describe().filter(Boolean))];
  if (subject.solo) {
    put(find("links"), h("p", { class: "buttons" }, copyButton("Copy the link", () => location.href), share));
    return;
  }
  say(find("people"), subject.names.join(" against "));
  put(
    find("links"),
    h("p", {}, h("b", {}, subject.result)),
    h("a", { class: "button", href: tableAddress(subject.table) }, "Back to the table"),
    h("a", { class: "button", id: "to-board" }, "Open on a study board"),
    recordLink(subject.table, subject.number),
    h("p", { class: "buttons" }, copyButton("Copy the record", () => getText(`${subject.path}/record`)), share),
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
