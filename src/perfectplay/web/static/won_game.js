// @ts-check
// What a win looks like: the end of a game, for those who do not know it yet.

import { h } from "./dom.js";
import { miniature } from "./drawing.js";

/** @param {Api.Game} game */
export function wonGame({ title, won }) {
  return h("figure", { class: "won-game" }, miniature(won.view, `${title}, a won game`, won.owners), h("figcaption", {}, h("b", {}, "A won game: "), won.words));
}
