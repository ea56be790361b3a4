// @ts-check
// Making a table from the home page, and complaints about it where the user is looking.

import { post } from "./api.js";
import { complain, find } from "./dom.js";
import { tableAddress, tableToBe } from "./host.js";
import { ownName } from "./storage.js";
import { trouble } from "./trouble.js";

/**
 * Ask the server for a table, and go there.
 * @param {string} path
 * @param {Record<string, unknown>} body
 * @param {HTMLElement} pressed what was pressed
 * @param {string} [move] the first move, already chosen
 */
export async function goToTable(path, body, pressed, hash = "", move = "") {
  const name = find("name").value.trim();
  ownName.set(name);
  complain("");
  const direct = tableToBe({ ...body, name }, hash, move);
  if (direct) {
    location.assign(direct);
    return true;
  }
  const button = pressed instanceof HTMLButtonElement ? pressed : null;
  if (button) button.disabled = true;
  try {
    /** @type {{ table: Api.Table }} */
    const { table } = await post(path, { ...body, name });
    // Where the computer begins, the move has to wait.
    if (move && table.position.seat === table.seat) await post(`/api/tables/${table.id}/events`, { number: table.next, kind: "move", text: move });
    location.assign(tableAddress(table.id, hash));
  } catch (error) {
    trouble(error);
    if (button) button.disabled = false;
    showComplaint(pressed.closest(".card"), error.message.split("=")[0]);
    return false;
  }
  return true;
}

/**
 * Show all of a card, which on a phone is short until then.
 * @param {Element | null | undefined} place a card
 */
export const unfold = (place) => place?.querySelector(".more")?.setAttribute("aria-expanded", "true");

/**
 * Show the error next to the setting that it names, or to the buttons.
 * @param {Element | null} place
 * @param {string} name
 */
function showComplaint(place, name) {
  unfold(place);
  /** @type {HTMLElement | null | undefined} */
  const field = place?.querySelector(`[data-parameter="${CSS.escape(name)}"]`);
  for (let details = field?.closest("details"); details; details = details.parentElement?.closest("details")) details.open = true;
  (field?.closest(".parameter") ?? place?.querySelector(".buttons"))?.after(find("complaint"));
  field?.focus();
  find("complaint").scrollIntoView({ block: "nearest" });
}
