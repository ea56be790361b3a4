// @ts-check
// The form that chooses the game of a study board.

import { find, h, put } from "./dom.js";
import { markPreset, parameterFields, presetChoice, settingField, specOf, takenApart } from "./settings.js";

/**
 * Draw the form; returns a function that shows a spec in it. `setUp(spec)` is called with what the user chooses.
 * @param {Api.Game[]} games
 * @param {(spec: string) => unknown} setUp
 */
export function drawChoice(games, setUp) {
  const form = find("choose");
  const chooser = h("select", { id: "study-game" }, games.map((game) => h("option", { value: game.name }, game.title)));
  const fields = h("div", {});
  const presets = h("div", {});
  const chosen = () => games.find((game) => game.name === chooser.value) ?? games[0];
  /** @param {Record<string, string>} settings */
  const fill = (settings) => {
    put(fields, parameterFields(chosen(), "study", settings));
    put(presets, presetChoice(chosen(), "study", setUp));
    markPreset(presets, specOf(chosen(), fields));
  };
  chooser.addEventListener("change", () => {
    fill({});
    setUp(chooser.value);
  });
  put(
    form,
    settingField("game", "", chooser),
    presets,
    h("details", {}, h("summary", {}, "Settings"), fields, h("button", { type: "submit" }, "Use these settings")),
  );
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setUp(specOf(chosen(), fields));
  });
  return (/** @type {string} */ spec) => {
    const { name, values } = takenApart(spec);
    chooser.value = name;
    fill(values);
  };
}
