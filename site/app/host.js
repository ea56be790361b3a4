// @ts-check
// What the pages of the site run on: Python in the tab, and the browser's own storage. Takes the place of the server's host.js.

import { getText } from "./api.js";
import { ask, h } from "./dom.js";
import { loadKnown } from "./known.js";
import { pack } from "./links.js";
import { sessionText } from "./storage.js";
import { tables } from "./tables.js";
import { trouble } from "./trouble.js";

/** Under which name the wishes for a table wait for its page. */
export const WISHES = "wishes";

export const PEOPLE = false;
export const COACH = true;
export const CONNECTION = { connected: "Ready", reconnecting: "Starting Python…" };
/** @param {string} kind */
export const unsentWords = (kind) => {
  const what = { move: "Your move is played", assisted: "Your hint comes" }[kind] ?? "Your request is carried out";
  return `${what} as soon as Python has started.`;
};

/** @type {[string, string]} */
export const NO_TABLE = [
  "This game is in another browser",
  "There is no server here: a game stays in the browser where it is played, and this address opens it only there. Ask its sender for the game itself: “Link to this game”, next to its moves, has all of it, and so has the file that “Download the record” saves.",
];
export const NO_GAME = NO_TABLE;

/** The settings of which it is known how a new table looks: those that no game refuses. */
let begun = new Set([""]);

export async function opponents() {
  const found = await loadKnown();
  begun = new Set(Object.keys(found.starts));
  return found.opponents;
}

export const homeAddress = (game = "") => (game ? `index.html#game-${game}` : "index.html");

/** @param {string} id */
export const tableAddress = (id, hash = "") => `table.html?t=${id}${hash}`;

/**
 * Python is started by each page, so the table is made where it is played at. Only settings that may be refused are tried out
 * before, beside their fields.
 * @param {Record<string, unknown>} wish
 * @param {string} hash
 * @param {string} move
 */
export function tableToBe({ game, opponent, seat }, hash, move) {
  if (String(game).includes(":") && !begun.has(String(game))) return "";
  const query = new URLSearchParams({ game: String(game), opponent: String(opponent ?? ""), seat: String(seat ?? ""), move });
  // Without them in the address, the page is the one that the service worker fetches, and is fetched once.
  return sessionText(WISHES).set(String(query)) ? `table.html${hash}` : `table.html?${query}${hash}`;
}

/**
 * @param {string} id
 * @param {number | string} number
 */
export const gameAddress = (id, number) => `study.html?t=${id}&g=${number}`;

/** @param {string} name that of an exercise; empty for all */
export const exercisesAddress = (name) => (name ? `exercises.html#${encodeURIComponent(name)}` : "exercises.html");

/** A position travels behind the #, which browsers do not send to the host. @param {URLSearchParams} query */
export const studyAddress = (query) => `study.html#${query}`;

/** @type {(board: { spec: string, start: string, moves: { text: string }[], ply: number }) => Promise<{ position: Api.Position, names: string[] } | null>} */
export async function foreseeBoard({ spec, start, moves, ply }) {
  const begun = start || ply > 1 ? undefined : (await loadKnown()).starts[spec];
  const table = ply === 0 ? begun?.table : begun?.after[moves[0].text]?.table;
  return table ? { position: table.position, names: table.side_names } : null;
}

export const studyQuery = () => new URLSearchParams(location.hash.slice(1));

let made = ""; // the table of this page, before its address names it

/** @param {string} id */
export function beAt(id) {
  made = id;
}

export function here() {
  const query = new URLSearchParams(location.search);
  const id = query.get("t") ?? made;
  return id ? { id, number: query.get("g") ?? "" } : null;
}

/**
 * A link that carries the whole game.
 * @param {string} id
 * @param {number | string} number
 */
export async function gameLink(id, number) {
  const text = await getText(`/api/tables/${id}/games/${number}/record`);
  return new URL(`study.html#record=${await pack(text)}`, location.href).href;
}

/**
 * @param {string} id
 * @param {number | string} number
 */
export function recordLink(id, number) {
  const link = h("a", { href: "#", download: `perfectplay-${id}-${number}.txt` }, "Download the record");
  link.addEventListener("click", (event) => {
    if (link.getAttribute("href") !== "#") return;
    event.preventDefault();
    getText(`/api/tables/${id}/games/${number}/record`).then((text) => {
      link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      link.click();
      // A game in progress has another record after the next move.
      setTimeout(() => {
        URL.revokeObjectURL(link.href);
        link.setAttribute("href", "#");
      }, 10_000);
    }, trouble);
  });
  return link;
}

/** @type {(id: string) => HTMLElement | null} */
export function removeButton(id) {
  /** @type {HTMLButtonElement} */
  const button = h("button", { type: "button", class: "plain danger", onclick: remove }, "Delete");
  async function remove() {
    if (!(await ask("Delete this game from this browser? Nobody else has it.", "Delete", "Keep it"))) return;
    try {
      await tables.remove(id);
    } catch (error) {
      trouble(error);
      return;
    }
    const entry = button.closest("li");
    const next = entry?.nextElementSibling ?? entry?.previousElementSibling;
    entry?.remove();
    (/** @type {HTMLElement | null | undefined} */ (next?.querySelector("a")) ?? document.getElementById("main"))?.focus();
  }
  return button;
}
