// @ts-check
// The lists of the home page: one's own tables, who waits, and what is being played.

import { controlWords } from "./clock.js";
import { find, h, put } from "./dom.js";
import { tableAddress } from "./host.js";
import { settingsWords } from "./settings.js";

const MOST = 5;
const MOST_OVER = 3;

/** @param {Api.Brief} brief */
function people(brief) {
  return brief.names.map((name) => name || "free seat").join(" and ");
}

/**
 * A table that is listed for everyone.
 * @param {Api.Brief} brief
 */
export function lobbyRow(brief) {
  const open = brief.status === "open";
  const over = brief.status === "over";
  const host = brief.names.find((name) => name) || "Someone";
  const href = open && brief.join ? `/join/${brief.id}/${brief.join}` : tableAddress(brief.id);
  const state = over ? `finished, ${brief.score.join(" : ")}` : `${brief.score.join(" : ")}, move ${brief.plies}`;
  return h(
    "li",
    { class: over ? "over" : null },
    h(
      "a",
      { href },
      h("b", {}, open ? host : brief.title),
      h("span", {}, open ? [brief.title, settingsWords(brief.game), brief.clock && controlWords(brief.clock)].filter(Boolean).join(", ") : people(brief)),
      h("small", { class: open ? "here" : null }, open ? "waiting" : state),
    ),
  );
}

/** @param {Api.Own} brief */
function turnNote(brief) {
  if (brief.status === "open") return "waiting for an opponent";
  if (brief.status !== "running") return brief.status;
  // The line below has the name, which may be long.
  return brief.turn === brief.seat ? h("strong", {}, "your turn") : "their turn";
}

/**
 * A table where this browser has a seat.
 * @param {Api.Own} brief
 */
export function ownRow(brief) {
  const name = brief.names[1 - brief.seat];
  return h(
    "li",
    {},
    h("a", { href: tableAddress(brief.id) }, h("b", {}, brief.title), h("span", {}, name && `against ${name}`), h("small", {}, turnNote(brief))),
  );
}

/** @param {Api.Own} brief */
const isLive = ({ status }) => status === "open" || status === "running";

/**
 * The tables to list: those where it is the user's turn first, then other live ones, then the newest few that are over.
 * @param {Api.Own[]} briefs
 */
export function inOrder(briefs) {
  /** @type {Record<"turn" | "live" | "over", Api.Own[]>} */
  const groups = { turn: [], live: [], over: [] };
  for (const brief of briefs) groups[!isLive(brief) ? "over" : brief.turn === brief.seat ? "turn" : "live"].push(brief);
  return [...groups.turn, ...groups.live, ...groups.over.slice(0, MOST_OVER)].slice(0, MOST);
}

/**
 * The words of the link to all tables, with the number of those that go on and are not listed.
 * @param {Api.Own[]} briefs
 */
export function allWords(briefs) {
  const left = briefs.filter(isLive).length - MOST;
  return left > 0 ? `See all (${left} more)` : "See all";
}

/**
 * Draw a list if it has changed. A focused link keeps the focus.
 * @template {Api.Brief} B
 * @param {string} id
 * @param {B[]} briefs
 * @param {(brief: B) => HTMLElement} drawn
 * @param {string} none
 */
export function drawList(id, briefs, drawn, none) {
  const place = find(id);
  const text = JSON.stringify(briefs);
  if (place.dataset.shows === text) return;
  place.dataset.shows = text;
  const active = document.activeElement;
  const held = active && place.contains(active) ? active.getAttribute("href") : null;
  put(place, briefs.length ? briefs.map(drawn) : h("li", { class: "none" }, none));
  if (held === null) return;
  const links = [...place.querySelectorAll("a")];
  (links.find((each) => each.getAttribute("href") === held) ?? links[0] ?? find("main")).focus();
}
