// @ts-check
// What a study page says about a position and its moves.

import { fillIn } from "./table_words.js";
import { listText, moveWords, moveWordsInFull, moves, plain, signOf, valueWords, verdict } from "./words.js";

/** @typedef {import("./subjects.js").Played | import("./subjects.js").Solo} Subject */

/**
 * @param {Api.Study} study
 * @param {string[]} names
 */
export function standingWords({ position, value }, names) {
  const { result } = position;
  if (result) return endWords(result, names);
  const name = names[position.side];
  if (value.kind === "undecided") return `${name} to move. Who wins is undecided: play can get stuck without a result.`;
  if (value.kind === "endless") return `${name} to move. With best play the game never ends.`;
  if (value.kind === "tie") return `${name} to move. With best play it is a tie.`;
  return `${name} to move: ${valueWords(value)}${value.kind === "win" ? " with" : " against"} best play.`;
}

/**
 * Who won, and why.
 * @param {Api.Result} result
 * @param {string[]} names
 */
export function endWords({ winner_side: side, finished, why }, names) {
  const reason = side === null ? why : fillIn(why, { winner: names[side], loser: names[1 - side] });
  return `${verdict(finished, side, (winner) => names[winner])}. ${reason}`;
}

/**
 * @param {Subject} subject
 * @param {number} ply
 * @param {Pick<Api.Position, "view" | "changed"> | null} after the position, for those who hear it
 */
export function lastWords(subject, ply, after = null) {
  const move = subject.moves[ply - 1];
  if (!move) return "Start position.";
  return `After ${moves(ply)}. ${subject.names[move.side]}: ${after ? moveWordsInFull(move, after) : moveWords(move)}.`;
}

/** @param {Api.StudiedMove} move */
export function markOf(move) {
  return { long: valueWords(move), best: move.best && move.kind !== "loss", kind: move.kind };
}

/**
 * The moves for the list, with what is known about them.
 * @param {Subject} subject
 * @param {Map<number, Api.Mark> | null} marks by ply
 * @returns {Page.ListedMove[]}
 */
export function judgeMoves(subject, marks) {
  return subject.moves.map((move) => {
    const mark = marks?.get(move.ply);
    const same = mark && (mark.text === move.text || !subject.solo);
    return {
      ...move,
      text: listText(move),
      words: moveWords(move),
      name: subject.names[move.side],
      note: move.events.join(", "),
      sign: same ? signOf(mark.mark) : "",
      signWords: same ? plain(mark.mark) : "",
      kept: same ? mark.kept : undefined,
    };
  });
}
