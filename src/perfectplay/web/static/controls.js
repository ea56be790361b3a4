// @ts-check
// The moves that are not played on the board, as buttons. A label that stands in several groups is picked once; its group is chosen next.

import { h } from "./dom.js";
import { direction } from "./drawing.js";
import { valueSign } from "./pieces.js";

/**
 * A move with a button. It has no action if the view has no control for it.
 * @typedef {{ label: string, text: string, group: string, action?: number, adds?: number | null }} Button
 */

/** What moves may lead to, the best first. */
export const ORDER = ["win", "tie", "endless", "undecided", "loss"];

/** @param {Api.View} view */
function addingControls(view) {
  return view.controls.filter((control) => control.adds !== null && control.adds !== undefined);
}

/**
 * The places where a move adds a cell, and the move of each for the label that has been picked.
 * @param {Api.View} view
 * @param {string | null} pick
 * @returns {import("./drawing.js").Slot[]}
 */
export function slotsOf(view, pick) {
  const adding = addingControls(view);
  const groups = [...new Set(adding.map((control) => control.group))].slice(0, 2);
  return groups.map((group, i) => {
    const chosen = adding.find((control) => control.group === group && control.label === pick);
    return { end: /** @type {0 | 1} */ (i), group, label: pick ?? "", text: chosen?.text ?? null };
  });
}

/**
 * The buttons that a board needs: `played` has the actions that are played by a cell.
 * @param {Api.View} view
 * @param {string[]} legal
 * @param {Set<number>} played
 * @returns {Map<string, Button[]>}
 */
function groupButtons(view, legal, played) {
  const adding = new Set(addingControls(view));
  /** @type {Map<string, Button[]>} */
  const groups = new Map();
  /** @param {Button} button */
  const add = (button) => groups.set(button.group, [...(groups.get(button.group) ?? []), button]);
  for (const control of view.controls) if (!adding.has(control) && !played.has(control.action)) add(control);
  const named = new Set(view.controls.map((control) => control.action));
  for (const { action, text } of view.rows.flat()) {
    if (action !== null && text !== null && !played.has(action) && !named.has(action)) add({ label: text, text, group: "", action });
  }
  const placed = new Set([...view.rows.flat(), ...view.controls].map((each) => each.text));
  for (const text of legal) if (!placed.has(text)) add({ label: text, text, group: "" });
  return groups;
}

/**
 * The label of a move, with an arrow if it is a step to the left or to the right.
 * @param {Api.View} view
 * @param {string} label
 * @param {number | undefined} action
 * @param {number} [mover]
 */
function addArrow(view, label, action, mover) {
  const cell = action === undefined ? -1 : view.rows.flat().findIndex((each) => each.action === action);
  const way = cell < 0 ? 0 : direction(view, cell, mover);
  return [way < 0 && arrow("←"), h("span", {}, label), way > 0 && arrow("→")];
}

/** @param {string} sign */
const arrow = (sign) => h("span", { class: "arrow", "aria-hidden": "true" }, sign);

/**
 * @param {Page.Showing & { view: Api.View }} state
 * @param {{
 *   played: Set<number>, pick: string | null, pressed: string | null,
 *   onpick: (label: string) => unknown, choose: (text: string) => unknown,
 * }} choice
 */
export function drawControls({ view, playable, marks, legal, mover }, { played, pick, pressed, onpick, choose }) {
  const adding = addingControls(view);
  const labels = [...new Set(adding.map((control) => control.label))];
  const ends = [...new Set(adding.map((control) => control.group))].join(" or ");
  /** @param {Button[]} buttons */
  const bestMark = (buttons) => {
    const found = buttons.flatMap(({ action }) => (action === undefined ? [] : (marks?.get(action) ?? [])));
    return found.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) || Number(other.best) - Number(one.best))[0];
  };
  const picks = labels.map((label) => {
    const own = adding.filter((control) => control.label === label);
    return h(
      "button",
      {
        type: "button",
        class: "control pick",
        "aria-pressed": String(pick === label),
        "aria-label": `${label}, then ${ends}`,
        "data-pick": label,
        "data-moves": own.map((control) => control.text).join(),
        disabled: !playable,
        onclick: () => onpick(label),
      },
      h("span", {}, label),
      drawMark(bestMark(own)),
    );
  });
  return [
    picks.length > 0 && h("div", { class: "control-group picks", role: "group", "aria-label": `Pick one, then ${ends}` }, picks),
    [...groupButtons(view, legal, played)].map(([group, buttons]) =>
      h(
        "div",
        { class: "control-group", role: "group", "aria-label": group || "Moves" },
        group && h("span", { class: "group-name" }, group),
        buttons.map(({ label, text, action }) => {
          const mark = action === undefined ? undefined : marks?.get(action);
          return h(
            "button",
            {
              type: "button",
              class: `control${mark?.best ? " best" : ""}${pressed === text ? " pressed" : ""}`,
              "aria-label": `${group ? `${group} ` : ""}${label}${mark ? `, ${mark.long}${mark.best ? ", best" : ""}` : ""}`,
              "data-move": text,
              disabled: !playable,
              onclick: () => choose(text),
            },
            addArrow(view, label, action, mover),
            drawMark(mark),
          );
        }),
      ),
    ),
  ];
}

/** @param {Page.Mark} [mark] */
const drawMark = (mark) => mark && h("span", { class: "mark" }, valueSign(mark.kind), mark.best && h("span", { class: "star" }, "★"));
