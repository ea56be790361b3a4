// @ts-check
// What a study page says about the game itself: its title, its players, how it ended, and where else it can be found.

import { find, h, permanentLink, put, say } from "./dom.js";
import { gameLink, recordLink, studyAddress, tableAddress } from "./host.js";
import { settingsWords } from "./settings.js";

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
    h("a", { class: "button", href: studyAddress(new URLSearchParams({ game: subject.spec })) }, "Open on a study board"),
    recordLink(subject.table, subject.number),
    permanentLink(gameLink(subject.table, subject.number)),
  );
}
