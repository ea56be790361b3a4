// @ts-check
// The parameters of a game as form fields, and the spec made from them.

import { h } from "./dom.js";
import { plain, settingName } from "./words.js";

/**
 * Fields for the parameters of a game; `prefix` makes their ids unique.
 * @param {Api.Game} game
 * @param {string} prefix
 * @param {Record<string, string>} [values]
 */
export function parameterFields(game, prefix, values = {}) {
  return game.parameters.map((parameter) => {
    const id = `${prefix}-${parameter.name}`;
    const standard = parameter.default;
    const field = parameter.choices
      ? h("select", { id, "data-parameter": parameter.name }, parameter.choices.map((choice) => h("option", { value: choice }, choice)))
      : h("input", { id, "data-parameter": parameter.name, maxlength: "20", autocomplete: "off", placeholder: standard || "none" });
    if (parameter.choices) field.value = values[parameter.name] ?? standard;
    else field.value = values[parameter.name] ?? "";
    field.dataset.standard = standard;
    return settingField(parameter.name, parameter.doc, field);
  });
}

/**
 * A field with its name and what it is for.
 * @param {string} name
 * @param {string} doc
 * @param {HTMLElement} field
 */
export function settingField(name, doc, field) {
  return h("p", { class: "parameter" }, h("label", { for: field.id }, h("b", {}, settingName(name)), doc && h("small", {}, ` ${doc}`)), field);
}

/**
 * A choice between the rulebook's setting and those that are recommended, with the reason for the one that is chosen; null if there are none.
 * @param {Api.Game} game
 * @param {string} prefix
 * @param {(spec: string) => unknown} choose
 */
export function presetChoice(game, prefix, choose) {
  if (!game.presets.length) return null;
  return h(
    "fieldset",
    { class: "presets" },
    h("legend", { class: "unseen" }, `Setting of ${game.title}`),
    game.presets.map(({ spec, title, why }, i) =>
      h(
        "label",
        { class: "preset" },
        h("input", { type: "radio", name: `${prefix}-preset`, value: spec, checked: i === 0, onchange: () => choose(spec) }),
        h("b", {}, title),
        h("small", {}, plain(why)),
      ),
    ),
  );
}

/**
 * Mark the preset with this spec inside `place`; none if there is none.
 * @param {ParentNode} place
 * @param {string} spec
 */
export function markPreset(place, spec) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const choices = place.querySelectorAll(".preset input");
  for (const choice of choices) choice.checked = choice.value === spec;
}

/**
 * Show the parameters of a spec in the fields inside `place`.
 * @param {ParentNode} place
 * @param {string} spec
 */
export function fillFields(place, spec) {
  const { values } = parseSpec(spec);
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
  const fields = place.querySelectorAll("[data-parameter]");
  for (const field of fields) {
    const { parameter = "", standard = "" } = field.dataset;
    field.value = values[parameter] ?? (field instanceof HTMLSelectElement ? standard : "");
  }
}

/**
 * The spec of a game with the fields inside `place` that differ from the defaults.
 * @param {Api.Game} game
 * @param {ParentNode} place
 */
export function specOf(game, place) {
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
  const fields = place.querySelectorAll("[data-parameter]");
  const settings = [...fields]
    .map((field) => [field.dataset.parameter, field.value.trim(), field.dataset.standard])
    .filter(([, value, standard]) => value !== "" && value !== standard)
    .map(([name, value]) => `${name}=${value}`);
  return settings.length ? `${game.name}:${settings.join(",")}` : game.name;
}

/**
 * The settings of a spec in words.
 * @param {string} spec
 */
export function settingsWords(spec) {
  const settings = Object.entries(parseSpec(spec).values).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`);
  return settings.length ? settings.join(", ") : "by the rulebook";
}

/**
 * The name and the parameters of a spec.
 * @param {string} spec
 * @returns {{ name: string, values: Record<string, string> }}
 */
export function parseSpec(spec) {
  const colon = spec.indexOf(":");
  if (colon < 0) return { name: spec, values: {} };
  const pairs = spec
    .slice(colon + 1)
    .split(",")
    .map((pair) => pair.split("=", 2));
  return { name: spec.slice(0, colon), values: Object.fromEntries(pairs) };
}
