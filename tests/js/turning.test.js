import assert from "node:assert/strict";
import { test } from "node:test";

import { turnOf, turningPly } from "../../src/perfectplay/web/static/turning.js";

const mark = (ply, kept, words = "best") => ({ ply, kept, mark: words });
const played = [1, 2, 3].map((ply) => ({ ply, seat: (ply + 1) % 2, text: `m${ply}`, kind: "move" }));
const ended = { ply: null, seat: 1, text: "time", kind: "time" };

/** A table at which seat 0 has won. */
const won = (change = {}, result = {}) => ({
  seat: 0,
  names: ["Ann", "Bob"],
  players: [null, null],
  position: { result: { winner_seat: 0, reason: "last flip", ...result } },
  ...change,
});

test("a game turned on the last move that gave something away", () => {
  const marks = [mark(1, false, "threw away the win"), mark(2, false, "gave up endless play"), mark(3, true)];
  assert.equal(turningPly(marks), 2);
  const words = (table, moves = played) => turnOf(table, { marks, played: moves }).words;
  assert.equal(words(won()), "The game turned on move 2: Bob's “m2” gave up a game without end.");
  assert.equal(words(won({ seat: 1 })), "The game turned on move 2: your “m2” gave up a game without end.");
  assert.equal(words(won({ players: [null, "level:1"] })), "The game turned on move 2: the computer's “m2” gave up a game without end.");
  const lost = played.map((move) => (move.ply === 2 ? { ...move, kind: "forfeit", text: "x" } : move));
  assert.equal(words(won(), lost), "The game turned on move 2: Bob's lost turn.");
  const erred = (seat, found = marks) => turnOf(won({ seat }), { marks: found, played }).erred;
  assert.deepEqual([erred(0), erred(1), erred(1, marks.slice(0, 1)), erred(null)], [true, true, false, false]);
});

test("of a game that never turned, that is said", () => {
  const marks = [mark(1, true), mark(2, true)];
  const of = (table, moves = played) => turnOf(table, { marks, played: moves });
  assert.deepEqual(of(won()), { ply: null, words: "The game never turned: you were winning from the first move on.", erred: false });
  assert.equal(of(won({ seat: null })).words, "The game never turned: Ann was winning from the first move on.");
  assert.equal(of(won({}, { winner_seat: null })).words, "The game never turned: no move gave anything away.");
  // Whoever wins on time need not have been winning.
  assert.equal(of(won({}, { reason: "time" }), [...played, ended]).words, "The game never turned: no move before the end gave anything away.");
});
