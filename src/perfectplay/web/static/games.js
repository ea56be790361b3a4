// @ts-check
// All games of this browser, the newest first: opponent, result, date, and the board as it was left.

import { get } from "./api.js";
import { complain, find, h, put } from "./dom.js";
import { miniature } from "./drawing.js";
import { gameAddress, homeAddress, removeButton, tableAddress } from "./host.js";
import { patiently } from "./patience.js";
import { settingsWords } from "./settings.js";
import { trouble } from "./trouble.js";
import { resultWords, sentence } from "./words.js";

/**
 * @param {Api.OwnGame} game
 */
function entry(game) {
  const { seat, result, status } = game;
  const opponent = game.names[1 - seat];
  const live = status === "open" || status === "running";
  const href = live || !game.number ? tableAddress(game.id) : gameAddress(game.id, game.number);
  const won = result?.finished && result.winner_seat !== null ? (result.winner_seat === seat ? "won" : "lost") : "even";
  const games = game.score[0] + game.score[1];
  return h(
    "li",
    { class: "card" },
    h(
      "a",
      { href, "aria-label": `${game.title}${opponent ? ` against ${opponent}` : ""}, ${resultWords(game)}` },
      miniature(game.view, `Board of ${game.title}`, game.owners),
      h("b", {}, game.title, h("small", {}, ` ${settingsWords(game.game)}`)),
      h("span", {}, opponent ? `against ${opponent}` : "no opponent yet"),
      h("span", { class: `outcome ${won}` }, sentence(resultWords(game))),
      games > 1 && h("small", {}, `Game ${game.number} of ${games}, ${game.score[seat]} : ${game.score[1 - seat]} in all`),
      h("time", { datetime: new Date(game.at * 1000).toISOString() }, dateText(game.at)),
    ),
    removeButton(game.id),
  );
}

/** @param {number} at */
function dateText(at) {
  return new Date(at * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** @param {string | null} after */
async function addPage(after) {
  /** @type {Api.OwnGames} */
  const { games, next } = await get(`/api/own-games${after ? `?after=${encodeURIComponent(after)}` : ""}`);
  const list = find("all");
  const added = games.map(entry);
  list.append(...added);
  if (!list.children.length) put(list, h("li", { class: "none" }, "You have not played yet. ", h("a", { href: homeAddress() }, "Choose a game.")));
  const more = find("more");
  if (!next) {
    put(more);
  } else {
    /** @type {HTMLButtonElement} */
    const button = h("button", { type: "button", onclick: () => show(next, button) }, "Show older games");
    put(more, button);
  }
  if (after) added[0]?.querySelector("a")?.focus();
}

/**
 * @param {string | null} after
 * @param {HTMLButtonElement} [button]
 */
async function show(after, button) {
  if (button) button.disabled = true;
  try {
    if (button) await addPage(after);
    else await patiently(() => addPage(after), trouble);
    complain("");
  } catch (error) {
    if (button) button.disabled = false;
    trouble(error);
  }
  find("all").removeAttribute("aria-busy");
}

show(null);
