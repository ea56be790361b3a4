// @ts-check
// The form that chooses the game of a study board.

import { find, h, put } from "./dom.js";
import { markPreset, parameterFields, parseSpec, presetChoice, settingField, specOf } from "./settings.js";

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
  const chosenGame = () => games.find((game) => game.name === chooser.value) ?? games[0];
  /** @param {Record<string, string>} settings */
  const fill = (settings) => {
    put(fields, parameterFields(chosenGame(), "study", settings));
    put(presets, presetChoice(chosenGame(), "study", setUp));
    markPreset(presets, specOf(chosenGame(), fields));
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
    setUp(specOf(chosenGame(), fields));
  });
  return (/** @type {string} */ spec) => {
    const { name, values } = parseSpec(spec);
    chooser.value = name;
    fill(values);
  };
}
