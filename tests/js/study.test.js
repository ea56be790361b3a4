import assert from "node:assert/strict";
import { test } from "node:test";
import { mistakeWords } from "../../src/perfectplay/web/static/study_mistakes.js";
import { beforeMistake, groupEqual, shareOf } from "../../src/perfectplay/web/static/study_panels.js";
import { lastWords } from "../../src/perfectplay/web/static/study_words.js";

test("a move is heard with where it led and what it caused", () => {
  const move = { ply: 1, text: "left", side: 0, events: ["inversion"], placed: null };
  const subject = { moves: [move], names: ["Ann", "Bob"] };
  const cells = [{ label: "4", pieces: ["A"] }, { label: "5", pieces: ["B"] }];
  const after = { view: { rows: [cells], sides: [["A"], ["B"]] }, changed: [0, 1] };
  assert.equal(lastWords(subject, 1, after), "After 1 move. Ann: left, to 4, inversion.");
  assert.equal(lastWords(subject, 1), "After 1 move. Ann: left.");
  assert.equal(lastWords(subject, 0, after), "Start position.");
});

test("moves that are worth the same are folded, the best ones first", () => {
  const move = (text, kind, plies, best = false) => ({ text, kind, plies, best });
  const texts = (moves) => groupEqual(moves).map((group) => group.map(({ text }) => text));
  const wins = [move("1", "loss", 2), move("3", "win", 5), move("0", "win", 3, true), move("2", "win", 3, true)];
  assert.deepEqual(texts(wins), [["0", "2"], ["3"], ["1"]]);
  const rest = [move("a", "loss", 2), move("b", "loss", 8), move("e", "undecided", null), move("c", "endless", null), move("d", "tie", 4)];
  assert.deepEqual(texts(rest), [["d"], ["c"], ["e"], ["b"], ["a"]]);
});

test("the bar leans to the winner, the further the sooner the win, and is even if nobody wins", () => {
  assert.ok(shareOf({ kind: "win", plies: 1 }, 0) > shareOf({ kind: "win", plies: 9 }, 0));
  assert.ok(shareOf({ kind: "win", plies: 99 }, 0) > 0.5);
  assert.equal(shareOf({ kind: "win", plies: 3 }, 1), shareOf({ kind: "loss", plies: 3 }, 0));
  assert.ok(shareOf({ kind: "loss", plies: 3 }, 0) < 0.5);
  for (const kind of ["tie", "endless"]) assert.equal(shareOf({ kind, plies: null }, 1), 0.5);
});

test("the mistake that lost a game is the loser's last", () => {
  const marks = [true, false, false, true].map((kept, i) => ({ ply: i + 1, kept }));
  const played = [{ ply: null, side: 1 }, ...[0, 1, 0, 1].map((side, i) => ({ ply: i + 1, side }))];
  const won = (winner_side) => ({ marks, played, position: { result: { winner_side } } });
  assert.equal(beforeMistake(won(1)), 2);
  assert.equal(beforeMistake(won(0)), 1);
  assert.equal(beforeMistake({ ...won(1), marks: [] }), null);
});

test("where a player errs is said with the last moves that lead there", () => {
  const moves = ["1", "2", "3", "4", "5", "6", "7"];
  const erring = { moves, side: 1, kind: "win", chance: 0.0123, lost: 0.01, likeliest: "8" };
  const rest = "Bob gives the win away with a chance of 1.2%, mostly by 8.";
  assert.equal(mistakeWords(erring, ["Ann", "Bob"]), `After 7 moves, the last 2, 3, 4, 5, 6, 7: ${rest}`);
  assert.equal(mistakeWords({ ...erring, moves: ["4"] }, ["Ann", "Bob"]), `After 4: ${rest}`);
  assert.equal(mistakeWords({ ...erring, moves: [] }, ["Ann", "Bob"]), `At the start: ${rest}`);
});
