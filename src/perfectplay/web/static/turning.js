// @ts-check
// The move on which a game turned: the last one that changed what best play leads to.

import { get } from "./api.js";
import { patiently } from "./patience.js";
import { subjectOf, within } from "./table_words.js";
import { moveWords, plain } from "./words.js";

/** @typedef {{ ply: number | null, words: string, erred: boolean }} TurningPoint `erred`: whether the user gave something away */

/**
 * The ply of the last move that gave something away; null if there was none.
 * @param {Pick<Api.Mark, "ply" | "kept">[]} marks
 */
export function turningPly(marks) {
  return marks.filter((mark) => !mark.kept).at(-1)?.ply ?? null;
}

/**
 * Where a game turned, in a sentence; without a move, in none.
 * @param {Api.Table} table
 * @param {Pick<Api.Study, "marks" | "played">} study
 * @returns {TurningPoint}
 */
export function turnOf(table, { marks, played }) {
  const ply = turningPly(marks ?? []);
  const mark = marks?.find((each) => each.ply === ply)?.mark ?? "";
  const given = new Set(marks?.filter((each) => !each.kept).map((each) => each.ply));
  const erred = table.seat !== null && played.some((each) => each.seat === table.seat && each.ply !== null && given.has(each.ply));
  const move = ply === null ? undefined : played.find((each) => each.ply === ply);
  // Before the first move there was no lead to speak of.
  if (!move) return { ply: null, words: marks?.length ? constant(table) : "", erred };
  const { seat, kind } = move;
  const whose = seat === table.seat ? "your" : `${within(subjectOf(table, seat))}'s`;
  const did = kind === "forfeit" ? `${whose} lost turn` : `${whose} “${moveWords(move)}” ${plain(mark)}`;
  return { ply, words: `The lead changed on move ${ply}: ${did}.`, erred };
}

/**
 * The sentence about a game in which the lead never changed. Its winner was winning all along.
 * @param {Api.Table} table
 */
function constant(table) {
  const { result } = table.position;
  const winner = result?.winner_seat;
  if (winner !== 0 && winner !== 1) return "The lead never changed: no move gave anything away.";
  if (["resignation", "time"].includes(result?.reason ?? "")) return "The lead never changed: no move before the end gave anything away.";
  const who = winner === table.seat ? "you were" : `${within(subjectOf(table, winner))} was`;
  return `The lead never changed: ${who} winning from the first move on.`;
}

/** Finds out once for each game where it turned, and calls `found` when it knows. */
export class Turning {
  #asked = 0;
  /** @type {TurningPoint | null} */
  #turn = null;

  /**
   * @param {string} path the table's address in the API
   * @param {() => unknown} found
   */
  constructor(path, found) {
    this.path = path;
    this.found = found;
  }

  /**
   * Where the last game of a table turned; null as long as that is not known.
   * @param {Api.Table} table
   */
  of(table) {
    const { game, ply, result } = table.position;
    if (table.status !== "over" || !result?.finished) return null;
    if (this.#asked !== game) this.#ask(table, game, ply);
    return this.#turn;
  }

  /**
   * @param {Api.Table} table
   * @param {number} game
   * @param {number} ply
   */
  async #ask(table, game, ply) {
    this.#asked = game;
    this.#turn = null;
    /** @type {TurningPoint} */
    let turn;
    try {
      const address = `${this.path}/games/${game}/study/${ply}`;
      const study = await patiently(async () => (this.#asked === game ? get(address) : null));
      if (!study) return; // the next game was over before the server had time for this one
      turn = turnOf(table, study);
    } catch (error) {
      if (error.code !== "seated") return; // the game may be too large
      turn = { ply: null, words: `Where the lead changed is not shown yet: ${error.message}.`, erred: false };
    }
    if (this.#asked !== game) return;
    this.#turn = turn;
    this.found();
  }
}
