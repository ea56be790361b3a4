// @ts-check
// What is shown below the board: the laws, the values, the findings.

import { find, h, put } from "../../src/perfectplay/web/static/dom.js";
import { inMoves, moves, sentence } from "../../src/perfectplay/web/static/words.js";
import { basis, lawsHeading, outlook } from "./words.js";

/** @typedef {{ go: (line: number) => unknown, show: (moves: string[], item: HTMLElement) => unknown }} Links */

/**
 * @param {import("./words.js").Broken} broken
 * @param {Links} links
 */
function drawBrokenLaw({ laws, problem, advice, where, line, witness }, links) {
  /** @type {HTMLElement} */
  const item = h(
    "li",
    { class: "finding is-problem" },
    h("p", {}, h("span", { class: "severity" }, laws.join(", ")), ` ${sentence(problem)}`),
    advice && h("p", {}, advice),
    h("p", { class: "quiet small-print" }, where),
    h(
      "div",
      { class: "buttons" },
      line !== null && h("button", { type: "button", class: "small", onclick: () => links.go(line) }, `Go to line ${line}`),
      witness.length > 0 && shower(witness, () => item, links),
    ),
  );
  return item;
}

/**
 * @param {string[]} witness
 * @param {() => HTMLElement} item
 * @param {Links} links
 */
function shower(witness, item, links) {
  const words = witness.length === 1 ? "Show the move" : `Show the ${moves(witness.length)}`;
  return h("button", { type: "button", class: "small", "aria-expanded": "false", onclick: () => links.show(witness, item()) }, words);
}

/** Take away what followed from a file that ran. */
export function clearPanels() {
  for (const id of ["values", "laws", "findings"]) put(find(id), h("p", { class: "quiet" }, `${id === "values" ? "It follows" : "They follow"} once the file runs.`));
}

/**
 * The laws that a game keeps or breaks.
 * @param {Element} place
 * @param {import("./words.js").Laws} laws
 * @param {boolean} all whether they were checked on more than the first positions
 * @param {Links} links
 */
export function drawLaws(place, { broken, leftovers }, all, links) {
  const kept = all ? "Every law holds, as check-game checks them." : "No law is broken on the first 200 positions.";
  put(
    place,
    broken.length
      ? [h("p", {}, lawsHeading(broken)), h("ul", { class: "findings", role: "list" }, broken.map((each) => drawBrokenLaw(each, links)))]
      : h("p", { class: "good" }, h("span", { "aria-hidden": "true" }, "✓ "), kept),
    leftovers.length > 0 && [
      h("p", { class: "quiet small-print" }, "This file was made from a game of the package. If you change a rule, change or delete what still speaks of the old one:"),
      h("div", { class: "buttons" }, leftovers.map(({ name, line }) => h("button", { type: "button", class: "small", onclick: () => links.go(line) }, `${name}, line ${line}`))),
    ],
  );
}

/**
 * Who wins, in how many moves, and what that is based on.
 * @param {Element} place
 * @param {import("./words.js").Verdict} verdict
 */
export function drawValues(place, verdict) {
  put(place, h("p", { class: "outlook" }, outlook(verdict)), h("p", { class: "quiet small-print" }, basis(verdict)));
}

/**
 * @param {Element} place
 * @param {{ visited: string, findings: import("./words.js").Finding[], readings: { head: string[], rows: string[][] } | null }} found
 * @param {Links} links
 */
export function drawFindings(place, { visited, findings, readings }, links) {
  const items = findings.map(({ code, severity, text, witness, meaning }) => {
    /** @type {HTMLElement} */
    const item = h(
      "li",
      { class: `finding is-${severity}` },
      h("p", {}, h("span", { class: "severity" }, severity), " ", h("code", { title: meaning }, code)),
      h("p", {}, inMoves(text)),
      witness.length > 0 && h("div", { class: "buttons" }, shower(witness, () => item, links)),
    );
    return item;
  });
  put(
    place,
    h("p", { class: "quiet small-print" }, visited),
    items.length ? h("ul", { class: "findings", role: "list" }, items) : h("p", {}, "Nothing was found."),
    readings && [h("h3", {}, "Readings of unclear rules"), table("Readings of unclear rules", readings.head, readings.rows.map((row) => row.map(inMoves)))],
  );
}

/**
 * @param {string} label
 * @param {string[]} head
 * @param {Page.Child[][]} rows
 */
export function table(label, head, rows) {
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": label },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first), rest.map((text) => h("td", {}, text))))),
    ),
  );
}
