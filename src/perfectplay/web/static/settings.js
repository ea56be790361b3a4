// @ts-check
// The parameters of a game as form fields, and the spec made from them.

import { h } from "./dom.js";

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
    return h("p", { class: "parameter" }, h("label", { for: id }, h("b", {}, parameter.name), " ", parameter.doc), field);
  });
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
 * The name and the parameters of a spec.
 * @param {string} spec
 * @returns {{ name: string, values: Record<string, string> }}
 */
export function takenApart(spec) {
  const colon = spec.indexOf(":");
  if (colon < 0) return { name: spec, values: {} };
  const pairs = spec
    .slice(colon + 1)
    .split(",")
    .map((pair) => pair.split("=", 2));
  return { name: spec.slice(0, colon), values: Object.fromEntries(pairs) };
}
