// @ts-check
// Moving one's seat to another device: a code and a link, each of which works once.

import { post } from "./api.js";
import { h, linkField, put } from "./dom.js";
import { nearNote } from "./table_actions.js";
import { trouble } from "./trouble.js";

/**
 * The button that asks for a code, or nothing for those without a seat.
 * @param {HTMLElement} place
 * @param {Api.Table} table
 */
export function drawTransfer(place, table) {
  const may = String(table.seat !== null && table.status !== "closed");
  if (place.dataset.may === may) return;
  place.dataset.may = may;
  if (may === "false") {
    put(place);
    return;
  }
  /** @type {HTMLButtonElement} */
  const button = h("button", { type: "button", class: "plain", onclick: () => offer(place, table.id, button) }, "Move to another device");
  put(place, button);
}

/**
 * @param {HTMLElement} place
 * @param {string} id
 * @param {HTMLButtonElement} button
 */
async function offer(place, id, button) {
  button.disabled = true;
  try {
    /** @type {Api.Transfer} */
    const { code, seconds } = await post(`/api/tables/${id}/transfer`, {});
    put(
      place,
      h("p", {}, "On the other device, open ", h("b", {}, `${location.host}/move`), " and enter"),
      h("p", { class: "code", tabindex: "-1" }, code),
      h("label", { for: "transfer-link" }, "or open this link there:"),
      linkField("transfer-link", `${location.origin}/move#${code}`, "Copy"),
      h("small", {}, `It works once, for ${Math.round(seconds / 60)} minutes. Then this device can only watch.`),
      nearNote("continue on another device", "enter the code at the address that it prints"),
    );
    /** @type {HTMLElement | null} */
    const shown = place.querySelector(".code");
    shown?.focus();
  } catch (error) {
    button.disabled = false;
    trouble(error);
  }
}
