// @ts-check
// The fields for the clock of a new table: which one, or how long a player may be away without one.

import { CHOICES, LIMITS } from "./clock.js";
import { h } from "./dom.js";
import { settingField } from "./settings.js";

const USUAL = LIMITS[1][0];

/**
 * The fields, and what they ask the server for; `prefix` makes their ids unique.
 * @param {string} prefix
 */
export function clockChoice(prefix) {
  const clock = select(`${prefix}-clock`, CHOICES);
  const limit = select(`${prefix}-away`, LIMITS);
  limit.value = USUAL;
  clock.addEventListener("change", () => {
    limit.disabled = clock.selectedIndex > 0;
  });
  return {
    fields: [
      settingField("clock", "the time that the players have", clock),
      settingField("patience", "without a clock: how long a player may be away, or silent on their turn, before the other may claim the game", limit),
    ],
    read: () => (clock.selectedIndex > 0 ? CHOICES[clock.selectedIndex][1] : LIMITS[limit.selectedIndex][1]),
  };
}

/**
 * @param {string} id
 * @param {[string, Partial<Api.NewTable>][]} choices
 */
function select(id, choices) {
  return h("select", { id }, choices.map(([words]) => h("option", { value: words }, words)));
}
