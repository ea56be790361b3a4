// @ts-check
// How the user is doing: games, results, accuracy over time, and the level that they play like, from the journal of this browser.

import { get } from "./api.js";
import { ask, find, h, put, s } from "./dom.js";
import { histories, levelWords } from "./history.js";
import { homeAddress } from "./host.js";
import { addOwnGames, forgetAll, journal } from "./journal.js";
import { parseSpec, settingsWords } from "./settings.js";
import { trouble } from "./trouble.js";
import { capital, countWords, percent } from "./words.js";

const ENOUGH = 5; // games, before which anybody could play like anything

/** @type {Map<string, string>} */
let titles = new Map();

/** @param {string} spec */
const opponentWords = (spec) => (spec === "human" ? "people" : spec.replace(":", " "));

function draw() {
  const found = histories(journal().games);
  put(find("histories"), found.length ? found.map((each, i) => card(each, i)) : h("p", {}, "No games yet. ", h("a", { href: homeAddress() }, "Play one"), ", and come back to see how it went."));
  put(find("forget"), found.length > 0 && h("button", { type: "button", class: "plain danger", onclick: forget }, "Delete all of this"));
  find("main").removeAttribute("aria-busy");
}

/**
 * @param {import("./history.js").History} history
 * @param {number} i
 */
function card({ game, games, results, total, periods, plays_like: level, assisted }, i) {
  const { name } = parseSpec(game);
  const rows = Object.entries(results).map(([opponent, { won, lost, tied, unfinished }]) =>
    h("tr", {}, h("th", { scope: "row" }, capital(opponentWords(opponent))), [won, lost, tied + unfinished].map((each) => h("td", {}, String(each)))),
  );
  const accuracy = total.accuracy === null ? "No critical moves yet." : `Accuracy: ${total.kept} of ${total.decisions} critical moves (${percent(total.accuracy)}).`;
  return h(
    "section",
    { class: "card", "aria-labelledby": `history-${i}` },
    h("h2", { id: `history-${i}` }, titles.get(name) ?? name),
    h("p", { class: "quiet" }, `${settingsWords(game)}, ${countWords(games, "game")}${assisted ? `, ${assisted} with hints` : ""}`),
    h("p", { class: "plays-like" }, level && total.games >= ENOUGH ? `You play like ${levelWords(level)}.` : `Your level is shown from ${ENOUGH} games on.`),
    h("p", {}, accuracy),
    periods.length > 1 && bars(periods),
    h("table", {}, h("thead", {}, h("tr", {}, ["Opponent", "Won", "Lost", "Other"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)),
  );
}

/**
 * Accuracy over time, the oldest games first.
 * @param {import("./history.js").Period[]} periods
 */
function bars(periods) {
  const words = periods.map(({ accuracy }) => (accuracy === null ? "none" : percent(accuracy))).join(", ");
  const shapes = periods.map(({ accuracy }, i) => {
    const height = Math.max(1, 56 * (accuracy ?? 0));
    return accuracy !== null && s("rect", { class: "bar-of", x: i * 10 + 1, y: 58 - height, width: 8, height });
  });
  const width = Math.max(60, periods.length * 10);
  return s(
    "svg",
    { class: "accuracy-bars", viewBox: `0 0 ${width} 60`, preserveAspectRatio: "none", role: "img", "aria-label": `Accuracy over time, the oldest games first: ${words}` },
    shapes,
    s("path", { class: "floor", d: `M0 58.5H${width}` }),
  );
}

async function forget() {
  if (!(await ask("Delete your statistics and exercises from this browser? The games themselves stay.", "Delete", "Keep them"))) return;
  forgetAll();
  draw();
  find("main").focus();
}

async function start() {
  draw();
  try {
    /** @type {Api.Game[]} */
    const games = await get("/api/games");
    titles = new Map(games.map((game) => [game.name, game.title]));
    draw();
    await addOwnGames();
    draw();
  } catch (error) {
    trouble(error);
  }
}

start();
