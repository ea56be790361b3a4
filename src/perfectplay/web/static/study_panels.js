// @ts-check
// What a study page says about a position: who is winning, what every move is worth, and where a game turned.

import { ORDER } from "./controls.js";
import { find, h, put } from "./dom.js";
import { token, valueSign } from "./pieces.js";
import { capital, percent, valueWords, withNames } from "./words.js";

/**
 * The share of the bar that belongs to side 0: all of it just before a win, half if nobody is winning.
 * @param {Api.Value} value of the side to move
 * @param {0 | 1} side
 */
export function shareOf({ kind, plies }, side) {
  if (kind !== "win" && kind !== "loss") return 0.5;
  const lead = 0.5 - Math.min(0.2, (plies ?? 20) * 0.01);
  return 0.5 + ((kind === "win") === (side === 0) ? lead : -lead);
}

/**
 * The bar that shows who is winning, between the names of the players.
 * @param {string[]} names
 * @param {Pick<Api.Position, "result" | "side">} position
 * @param {Api.Value | undefined} value of the position; without it, only the end of a game shows who won
 */
export function drawEvaluation(names, { result, side: mover }, value) {
  const winner = result?.winner_side;
  const known = result || value;
  const share = winner === 0 || winner === 1 ? 1 - winner : value && !result ? shareOf(value, mover) : 0.5;
  const leading = share === 0.5 ? null : share > 0.5 ? 0 : 1;
  const winning = leading === null ? "Nobody is winning" : `${names[leading]} ${result ? "has won" : "is winning"}`;
  const words = known ? winning : "The evaluation is hidden";
  const fill = h("span", { class: "portion side-0" });
  fill.style.width = `${Math.round(share * 100)}%`;
  put(
    find("evaluation"),
    [0, 1].map((side) => h("span", { class: `end side-${side}${leading === side ? " leading" : ""}` }, token(side), h("b", {}, names[side]))),
    h("span", { class: known ? "bar side-1" : "bar", role: "img", "aria-label": words, title: words }, known && fill),
  );
}

/**
 * Which of two moves is better, for sorting: one that wins or ties sooner, or loses later.
 * @param {Pick<Api.StudiedMove, "kind" | "plies">} one
 * @param {Pick<Api.StudiedMove, "kind" | "plies">} two
 */
function better(one, two) {
  const sooner = (one.plies ?? 0) - (two.plies ?? 0);
  return ORDER.indexOf(one.kind) - ORDER.indexOf(two.kind) || (one.kind === "loss" ? -sooner : sooner);
}

/**
 * Moves that are worth the same, together; the best first.
 * @param {Api.StudiedMove[]} moves
 * @returns {Api.StudiedMove[][]}
 */
export function groupEqual(moves) {
  /** @type {Map<string, Api.StudiedMove[]>} */
  const groups = new Map();
  for (const move of moves) {
    const key = `${move.kind} ${move.plies} ${move.best}`;
    groups.set(key, [...(groups.get(key) ?? []), move]);
  }
  return [...groups.values()].sort(([one], [two]) => better(one, two));
}

/**
 * A move as the list of moves has it, with the end at which it adds something.
 * @param {Api.View} view
 * @param {{ text: string, action: number }} move
 */
export function wordsOf({ controls, rows }, { text, action }) {
  const control = controls.find((each) => each.action === action && each.adds !== null);
  if (!control?.group || !rows.flat().length) return control?.label ?? text;
  return control.adds === 0 ? `← ${control.label}` : `${control.label} →`;
}

/**
 * @param {Api.Study | null} study
 * @param {string[]} names
 * @param {string | undefined} next the move that was played or tried here
 * @param {string} did how that is called
 */
export function drawValues(study, names, next, did) {
  const place = find("values");
  if (!study || study.moves.length === 0) {
    put(place);
    return;
  }
  const { side_names, position, why } = study;
  const rows = groupEqual(study.moves).map((moves) => {
    const [{ kind, best }] = moves;
    const star = best && kind !== "loss";
    return h(
      "tr",
      { class: star ? "best" : "" },
      h("td", {}, h("span", { class: `worth ${kind}` }, valueSign(kind), capital(valueWords(moves[0])), star && h("span", { class: "star", title: "best" }, "★"), star && h("span", { class: "unseen" }, " best"))),
      h(
        "th",
        { scope: "row" },
        moves.map((move, i) => [i > 0 && ", ", h("span", { class: "whole" }, wordsOf(position.view, move), move.text === next && h("small", {}, ` (${did})`))]),
      ),
    );
  });
  put(
    place,
    why.length > 0 &&
      h(
        "section",
        { class: "panel why", "aria-labelledby": "coach-title" },
        h("h2", { id: "coach-title" }, `Coach, to ${names[position.side]}`),
        why.map((line) => h("p", {}, withNames(line, side_names, names))),
        why.some((line) => line.includes("nim-sum")) && nimSum(),
      ),
    h(
      "section",
      { class: "panel" },
      h("h2", { id: "values-title" }, "Every move"),
      h(
        "table",
        { "aria-labelledby": "values-title" },
        h("thead", {}, h("tr", {}, ["With best play", "Moves"].map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, rows),
      ),
      h("p", { class: "quiet small-print" }, "The moves of both players count."),
    ),
  );
}

/** What the coach means by a nim-sum. */
function nimSum() {
  return h(
    "details",
    {},
    h("summary", {}, "What is a nim-sum?"),
    h(
      "p",
      {},
      "Each group of free places counts as a number: its worth. Write these numbers in binary, below each other. ",
      "A column with an even number of ones gives 0, any other column gives 1: that is the nim-sum. ",
      "It is 0 when the groups balance each other, and then every move upsets the balance.",
    ),
  );
}

/**
 * How well both played, and every move that gave something away.
 * @param {Api.Study | null} study
 * @param {string[]} names
 * @param {boolean} touched whether anything has been played
 * @param {(ply: number) => unknown} go
 */
export function drawReview(study, names, touched, go) {
  if (!study) return;
  const shares = study.accuracy.map((share, side) =>
    h("tr", {}, h("th", { scope: "row" }, token(side), " ", names[side]), h("td", {}, share === null ? "no critical moves" : percent(share))),
  );
  put(
    find("accuracy"),
    touched &&
      shares.length > 0 && [
        h("table", { class: "accuracy" }, h("caption", {}, "Accuracy"), h("tbody", {}, shares)),
        h("p", { class: "quiet small-print" }, "Share of critical moves that kept the result."),
      ],
  );
  // What sums up a player's choices is in the table above.
  const lines = study.review.filter((line) => !/( accuracy: | had no critical decisions)/.test(line));
  const items = lines.map((line) => {
    const ply = Number(/^Move (\d+)/.exec(line)?.[1] ?? 0);
    const words = withNames(line, study.side_names, names);
    return h("li", {}, ply ? h("button", { type: "button", class: "plain jump", onclick: () => go(ply - 1) }, words) : words);
  });
  put(
    find("review"),
    touched && [h("h2", {}, "Turning points"), h("ul", { class: "review" }, items.length ? items : h("li", {}, "Nobody made a mistake."))],
  );
}

/**
 * The ply before the mistake that lost a game; null if there was none.
 * @param {Api.Study} study
 */
export function beforeMistake({ marks, played, position }) {
  const winner = position.result?.winner_side;
  const lost = (marks ?? []).filter((mark) => !mark.kept && played.find((move) => move.ply === mark.ply)?.side !== winner);
  const last = lost[lost.length - 1];
  return last ? last.ply - 1 : null;
}
