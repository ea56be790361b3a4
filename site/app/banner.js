// @ts-check
// Lines below the head of a page: how much of Python has arrived, and that a browser keeps nothing.

import { engine } from "./engine.js";
import { h, say } from "./dom.js";
import { tables } from "./tables.js";

const UNKEPT = "This browser keeps nothing for this page: your games are lost when you close it.";

/** @param {HTMLElement} line */
const place = (line) => document.querySelector("header.top")?.after(line);

/** Show how Python arrives, as long as something waits for it. */
export function showProgress() {
  const bar = h("progress", { max: 1, "aria-label": "Loading Python" });
  const words = h("span", {});
  const line = h("section", { class: "arriving", "aria-label": "Loading", hidden: true }, words, bar);
  place(line);
  engine().watch(({ ready, share, wanted }) => {
    line.hidden = ready || !wanted;
    bar.value = share;
    say(words, share < 1 ? `Loading Python, on a first visit only: ${Math.floor(100 * share)}%` : "Starting Python…");
  });
}

/** Say that games are not kept, where that is so. */
export async function showKeeping() {
  if (!(await tables.areKept())) place(h("p", { class: "unkept", role: "status" }, UNKEPT));
}
