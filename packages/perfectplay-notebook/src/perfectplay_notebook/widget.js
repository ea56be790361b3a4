// @ts-check
// A board in a notebook: draws what the kernel shows, and sends it the moves.

import { Board } from "../../../../src/perfectplay/web/static/board.js";
import { h, put, say } from "../../../../src/perfectplay/web/static/dom.js";
import { whyNot } from "../../../../src/perfectplay/web/static/words.js";

/**
 * What the kernel shows.
 * @typedef {{
 *   position: Api.Position, owners: (0 | 1 | null)[], names: string[], status: string, title: string,
 *   playable: boolean, started: boolean, picture: string,
 * }} Shown
 *
 * @typedef {{
 *   get(name: "shown"): Shown,
 *   on(event: string, listener: (message: { problem?: string }) => void): void,
 *   off(event: string, listener: (message: { problem?: string }) => void): void,
 *   send(message: { play?: string, back?: boolean, anew?: boolean }): void,
 * }} Model
 */

const system = matchMedia("(prefers-color-scheme: dark)");

/** Whether the notebook is dark, as far as it says so; otherwise the system decides. */
function isDark() {
  const { jpThemeLight } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (document.body.className.includes("vscode-")) return !document.body.classList.contains("vscode-light");
  return system.matches;
}

/** @param {{ model: Model, el: HTMLElement }} widget */
function render({ model, el }) {
  const title = h("p", { class: "title" });
  const status = h("p", { class: "status", role: "status" });
  const problem = h("p", { class: "complaint", role: "alert" });
  const place = h("div", { class: "board-place" });
  const back = h("button", { type: "button", onclick: () => model.send({ back: true }) }, "Take back");
  const anew = h("button", { type: "button", onclick: () => model.send({ anew: true }) }, "New game");
  const root = h(
    "div",
    { class: "perfectplay-board" },
    h("style", {}, `.${model.get("shown").picture} { display: none }`), // it is for where no widget can be shown
    h("div", { class: "card" }, title, status, place, problem, h("div", { class: "buttons" }, back, anew)),
  );
  /** @param {string} text */
  const complain = (text) => {
    problem.hidden = !text;
    say(problem, text);
  };
  const board = new Board(
    place,
    (text) => model.send({ play: text }),
    (cell) => {
      const { position, playable } = model.get("shown");
      if (playable) complain(whyNot(cell, position.view, "dot"));
    },
  );
  const show = () => {
    const { position, owners, names, status: words, title: name, playable, started } = model.get("shown");
    say(title, name);
    say(status, words);
    complain("");
    back.disabled = !started;
    board.show(position.view, {
      playable,
      changed: position.changed,
      legal: position.legal,
      mover: position.side,
      lastSide: position.last?.side,
      owners,
      names,
      decided: Boolean(position.result?.finished),
      label: `Board of ${name}`,
    });
  };
  /** @param {{ problem?: string }} message */
  const onMessage = (message) => {
    show(); // what has been pressed is not on its way any more
    complain(message.problem ?? "");
  };
  // JupyterLab would take keys for itself, such as arrows. It looks at what has the focus before anything around it.
  root.addEventListener("focusin", ({ target }) => {
    /** @type {Element} */ (target).setAttribute("data-lm-suppress-shortcuts", "true");
  });
  const shade = () => root.classList.toggle("dark", isDark());
  const theme = new MutationObserver(shade);
  put(el, root);
  theme.observe(document.body, { attributeFilter: ["class", "data-jp-theme-light"] });
  system.addEventListener("change", shade);
  model.on("change:shown", show);
  model.on("msg:custom", onMessage);
  shade();
  show();
  return () => {
    theme.disconnect();
    system.removeEventListener("change", shade);
    model.off("change:shown", show);
    model.off("msg:custom", onMessage);
  };
}

export default { render };
