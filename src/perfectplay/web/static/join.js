// @ts-check
// The invitation: the host and the game, a field for a name, and the free seat.

import { get, post } from "./api.js";
import { controlWords } from "./clock.js";
import { miniature } from "./drawing.js";
import { complain, find, h, put, say } from "./dom.js";
import { NO_TABLE } from "./host.js";
import { patiently } from "./patience.js";
import { rulesOf } from "./rules.js";
import { parseSpec } from "./settings.js";
import { ownName } from "./storage.js";
import { trouble } from "./trouble.js";
import { sentence } from "./words.js";

const [, , id, code] = location.pathname.split("/");

async function start() {
  /** @type {Api.Table} */
  let table;
  try {
    table = await patiently(() => get(`/api/tables/${id}`), trouble);
    complain("");
  } catch (error) {
    const [title, text] = error.status === 404 ? NO_TABLE : ["The invitation could not be opened"];
    say(find("title"), title);
    if (text) complain(text, " ", h("a", { href: "/" }, "Go to the games"));
    else trouble(error);
    return;
  }
  if (table.seat !== null) {
    location.replace(`/t/${id}`);
    return;
  }
  const host = table.names.find((name) => name) || "Someone";
  document.title = `${table.title} · perfectplay`;
  say(find("title"), table.title);
  if (table.position) put(find("picture"), miniature(table.position.view, `Board of ${table.title}`));
  put(find("rules"), rulesOf(parseSpec(table.game).name, table.title, "h2"));
  find("watch").href = `/t/${id}`;
  if (table.status !== "open") {
    say(find("invitation"), table.status === "closed" ? "This table is closed." : "Both seats at this table are taken.");
    find("main").append(find("watch"));
    say(find("watch"), "Watch the table");
    return;
  }
  const free = table.names[0] === null ? 0 : 1;
  const side = table.side_names[table.sides?.[free] ?? free];
  say(find("invitation"), `${host} invites you to a game of ${table.title}. You will be ${side}.${table.clock ? ` The clock: ${controlWords(table.clock)}.` : ""}`);
  const aim = table.position?.view.aims[table.sides?.[free] ?? free];
  if (aim) say(find("aim"), `Your goal: ${aim.charAt(0).toLowerCase()}${sentence(aim).slice(1)}`);
  find("sit").hidden = false;
  find("name").value = ownName.get();
  find("name").focus();
  find("sit").addEventListener("submit", sitDown);
}

/** @param {Event} event */
async function sitDown(event) {
  event.preventDefault();
  const name = find("name").value.trim();
  ownName.set(name);
  complain("");
  try {
    await post(`/api/tables/${id}/join`, { code, name });
    location.replace(`/t/${id}`);
  } catch (error) {
    trouble(error);
  }
}

start();
