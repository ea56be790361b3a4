// @ts-check
// Shows on the page why the server refused a request. Any other error is a bug and is thrown again.

import { Refused } from "./api.js";
import { complain, find, h, put, say } from "./dom.js";
import { homeAddress, tableAddress } from "./host.js";
import { sentence, settingWords } from "./words.js";

/** @param {unknown} error */
export function trouble(error) {
  if (!(error instanceof Refused)) throw error;
  const there = error.table ? [" ", h("a", { href: tableAddress(error.table) }, "Go to that game")] : [];
  complain(sentence(settingWords(error.message)), ...there);
}

/**
 * Say on a page that there is nothing to show on it.
 * @param {string} title
 * @param {string} text why
 */
export function showMissing(title, text) {
  say(find("title"), title);
  document.title = `${title} · perfectplay`;
  document.querySelector(".skip")?.setAttribute("href", "#main");
  put(find("main"), h("div", { class: "panel" }, h("p", {}, sentence(settingWords(text))), h("a", { class: "button primary", href: homeAddress() }, "Go to the games")));
}
