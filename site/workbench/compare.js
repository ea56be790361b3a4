// @ts-check
// Two rule sets side by side: the file in the editor and another one, or the same one with other parameters.

import { announce, find, h, linkField, put, say } from "../../src/perfectplay/web/static/dom.js";
import { countWords, inMoves, moves } from "../../src/perfectplay/web/static/words.js";
import { readSample } from "./files.js";
import { pairFragment } from "./link.js";
import { table } from "./panels.js";
import { drawParameters } from "./parameters.js";
import { Witness } from "./witness.js";
import { sayWhyEnded, troubleWords } from "./words.js";

/**
 * @typedef {import("./link.js").RuleSet} RuleSet
 * @typedef {{ same: boolean | null, plies: number, lines: string[][], found: string[] }} Difference
 * @typedef {{
 *   known: boolean, rows: string[][], openings: { move: string, words: (string | null)[] }[], paired: number, all: boolean,
 *   changed: number, shown: { moves: string[], words: string[] }[],
 * }} Changes
 * @typedef {{ findings: { code: string, texts: (string | null)[], moves: string[] }[] }} Findings
 * @typedef {{ name: Page.Child, lines: string[][], words: (string | null)[] }} CompareRow
 */

const STAGES = [100, 1000, 10_000, 50_000, 200_000]; // positions of each game; most differences show among the first
const SIDES = ["This file", "The other"];
const OWN = { same: "itself, with other parameters", opened: "itself, as it was opened", linked: "what came with the link", file: "a file from this device…" };

export class Comparison {
  /** Whether a link brought the other rule set. */
  linked = false;
  /** @type {RuleSet} */
  #other = { source: "", settings: {} };
  #opened = "";
  #turn = 0;
  #chooser = /** @type {HTMLSelectElement} */ (find("other"));
  #button = /** @type {HTMLButtonElement} */ (find("compare"));
  #boards = h("div", { class: "pair" });
  #witnesses = SIDES.map((each) => new Witness(each));

  /**
   * @param {import("./sandbox.js").Runner} python
   * @param {import("./open_file.js").OpenFile} file what is in the editor
   * @param {() => RuleSet} own
   * @param {() => unknown} done called after a comparison
   */
  constructor(python, file, own, done) {
    this.python = python;
    this.file = file;
    this.own = own;
    this.done = done;
    const input = /** @type {HTMLInputElement} */ (find("other-file"));
    this.#chooser.addEventListener("focus", () => this.#list());
    this.#chooser.addEventListener("change", () => (this.#chooser.value === "file" ? input.click() : this.#choose(this.#chooser.value)));
    input.addEventListener("change", async () => input.files?.[0] && this.#read(await input.files[0].text()));
    this.#button.addEventListener("click", () => this.run());
    find("compare-link").addEventListener("click", () => this.#showLink());
  }

  /** Another text is in the editor. @param {string} text */
  onOpen(text) {
    this.#opened = text;
    this.linked = false;
    this.onChange();
    put(find("compared"));
    put(find("other-fields"));
    find("compare-link").hidden = true;
    this.#list("");
    this.#button.disabled = true;
  }

  /** What is shown, if anything, was about an earlier text. */
  onChange() {
    this.#turn += 1;
  }

  /** A link brought the other rule set. It runs only after a click. @param {RuleSet} other */
  link(other) {
    this.linked = true;
    this.#other = other;
    this.#list("linked");
    this.#button.disabled = false;
  }

  /** List what to compare with. */
  #list(chosen = this.#chooser.value) {
    const names = Object.entries(OWN).filter(([name]) => name !== "linked" || this.linked);
    const files = [...find("files").children].map((each) => each.cloneNode(true));
    put(this.#chooser, h("option", { value: "", hidden: true }, "choose…"), h("optgroup", { label: "This file" }, names.map(([value, text]) => h("option", { value }, text))), files);
    this.#chooser.value = chosen;
  }

  /** @param {string} value */
  async #choose(value) {
    const draft = this.file.drafts.get(value);
    if (draft?.held) return this.#complain("Open that draft and run it first: it came with a link.");
    if (value === "linked") return undefined;
    const source = value === "same" ? this.own().source : value === "opened" ? this.#opened : (draft?.text ?? (await readSample(value)));
    return this.#read(source, value === "same" ? this.own().settings : {});
  }

  /**
   * @param {string} source
   * @param {Record<string, string>} settings
   */
  async #read(source, settings = {}) {
    this.#other = { source, settings };
    this.linked = false;
    this.onChange();
    this.#button.disabled = true;
    put(find("other-fields"));
    try {
      const found = await this.#ask("game", this.#other);
      if (!found || this.#other.source !== source) return;
      this.#button.disabled = false;
      drawParameters(find("other-fields"), found.parameters, (name, value) => this.#set(name, value), "other");
    } catch (error) {
      this.#complain(sayWhyEnded(error));
    }
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  #set(name, value) {
    this.#other = { ...this.#other, settings: { ...this.#other.settings, [name]: value } };
  }

  /** @param {string} text */
  #complain(text) {
    say(find("other-trouble"), text);
    find("other-trouble").hidden = !text;
  }

  /**
   * The answer of Python; null if there is none, which is said.
   * @param {string} request
   * @param {object} params
   */
  async #ask(request, params) {
    this.#complain("");
    const found = await this.python.ask(request, params);
    if (found.error) this.#complain(troubleWords(found.error));
    return found.error ? null : found;
  }

  /** Compare, and show what is found as soon as it is. */
  async run() {
    if (this.file.held) return this.#complain("Run the file above first.");
    if (this.python.busy) this.python.stop();
    this.#turn += 1;
    const turn = this.#turn;
    // With other parameters, it is the text as it is now.
    if (this.#chooser.value === "same") this.#other = { ...this.#other, source: this.own().source };
    const pair = { one: this.own(), other: this.#other };
    const place = find("compared");
    const [head, body, findings] = [h("div", {}), h("div", {}), h("div", {})];
    put(place, head, body, findings);
    put(head, h("p", { class: "quiet" }, "Comparing…"));
    find("compare-link").hidden = false;
    try {
      for (const first of STAGES) {
        const found = await this.#ask("difference", { ...pair, first });
        if (turn !== this.#turn || !found) return undefined;
        this.#drawDifference(head, found, first, pair);
        if (found.same !== null) break;
      }
      const changes = await this.#ask("changes", pair);
      if (turn !== this.#turn || !changes) return undefined;
      this.#drawChanges(body, changes, pair);
      put(findings, h("p", { class: "quiet" }, "Comparing findings…"));
      const found = await this.#ask("changed_findings", pair);
      if (turn !== this.#turn || !found) return undefined;
      this.#drawFindings(findings, found, pair);
      this.done();
    } catch (error) {
      if (turn === this.#turn) this.#complain(sayWhyEnded(error));
    }
    return undefined;
  }

  /**
   * @param {Element} place
   * @param {Difference} found
   * @param {number} first
   * @param {{ one: RuleSet, other: RuleSet }} pair
   */
  #drawDifference(place, { same, plies, lines, found }, first, pair) {
    const where = plies ? `after ${moves(plies)}` : "at the start";
    const words = same ? "The same game, whatever its moves are called." : same === null ? `No difference within ${moves(plies)}, among the first ${countWords(first, "position")}.` : `The games differ ${where}.`;
    put(place, h("p", { class: "outlook" }, words), same === false && this.#rows("The shortest moves that tell them apart", "After", [{ name: lines[0].join(", ") || "the start", lines, words: found }], pair));
    announce(words);
  }

  /**
   * @param {Element} place
   * @param {Changes} changes
   * @param {{ one: RuleSet, other: RuleSet }} pair
   */
  #drawChanges(place, { known, rows, openings, paired, all, changed, shown }, pair) {
    const differing = openings.filter(({ words: [one, other] }) => one !== other);
    const scope = `${countWords(changed, "position")} of ${all ? "the " : "the first "}${paired.toLocaleString("en")} that the same moves lead to in both games ${changed === 1 ? "has" : "have"} another result with best play.`;
    put(
      place,
      table("Side by side", ["Measure", ...SIDES], rows.map((row) => row.map(inMoves))),
      !known && h("p", {}, "The values of positions are not compared: a law is broken, or a game has too many positions to visit."),
      known && [
        h("h3", {}, "First moves"),
        differing.length
          ? this.#rows("First moves that are worth something else", "First move", differing.map(({ move, words }) => ({ name: move, lines: [[move], [move]], words })), pair)
          : h("p", {}, "Every first move is worth the same."),
        h("h3", {}, "Positions"),
        h("p", {}, scope),
        shown.length > 0 && this.#rows("Positions with another result", "After", shown.map(({ moves: line, words }) => ({ name: line.join(", ") || "the start", lines: [line, line], words })), pair),
      ],
    );
  }

  /**
   * @param {Element} place
   * @param {Findings} found
   * @param {{ one: RuleSet, other: RuleSet }} pair
   */
  #drawFindings(place, { findings }, pair) {
    const rows = findings.map(({ code, texts, moves: line }) => ({ name: code, lines: [line, line], words: texts.map((text) => text && inMoves(text)) }));
    put(place, h("h3", {}, "Findings"), rows.length ? this.#rows("Findings that changed", "Finding", rows, pair) : h("p", {}, "Both have the same findings."));
    announce(`${countWords(findings.length, "finding")} changed.`);
  }

  /**
   * A table whose rows open a position on two boards.
   * @param {string} label
   * @param {string} head
   * @param {CompareRow[]} rows
   * @param {{ one: RuleSet, other: RuleSet }} pair
   */
  #rows(label, head, rows, pair) {
    const place = h("div", { class: "differences" });
    const lines = rows.map(({ name, lines: both, words }) => [
      h("button", { type: "button", class: "small", title: "Show on both boards", onclick: () => this.#show(both, pair, place) }, name),
      ...words.map((text) => text ?? "–"),
    ]);
    put(place, table(label, [head, ...SIDES], lines));
    return place;
  }

  /**
   * Open a position in both games, on boards below a table.
   * @param {string[][]} lines
   * @param {{ one: RuleSet, other: RuleSet }} pair
   * @param {Element} place
   */
  async #show(lines, pair, place) {
    try {
      /** @type {any[]} */
      const steps = [];
      for (const [side, rules] of [pair.one, pair.other].entries()) steps.push(await this.#ask("steps", { ...rules, moves: lines[side] }));
      if (steps.includes(null)) return;
      place.append(this.#boards);
      const columns = SIDES.map((name) => h("div", {}, h("h4", {}, name)));
      put(this.#boards, columns);
      for (const [side, each] of this.#witnesses.entries()) each.show(steps[side], columns[side]);
      this.#boards.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.#complain(sayWhyEnded(error));
    }
  }

  async #showLink() {
    const fragment = await pairFragment({ one: this.own(), other: this.#other }).catch(() => null);
    if (fragment === null) return this.#complain("The files are too long for a link.");
    find("compare-link").hidden = true;
    const link = `${location.origin}${location.pathname}${fragment}`;
    return find("compared").prepend(h("p", { class: "permanent" }, h("label", { for: "pair-link" }, "A link that carries both"), linkField("pair-link", link, "Copy")));
  }
}
