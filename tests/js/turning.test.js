import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";

import { Turning, turnOf, turningPly } from "../../src/perfectplay/web/static/turning.js";

afterEach(() => {
  mock.restoreAll();
  mock.timers.reset();
});

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
  const marks = [mark(1, false, "threw away the win"), mark(2, false, "let the draw by repetition go"), mark(3, true)];
  assert.equal(turningPly(marks), 2);
  const words = (table, moves = played) => turnOf(table, { marks, played: moves }).words;
  assert.equal(words(won()), "The lead changed on move 2: Bob's “m2” let the draw by repetition go.");
  assert.equal(words(won({ seat: 1 })), "The lead changed on move 2: your “m2” let the draw by repetition go.");
  assert.equal(words(won({ players: [null, "level:1"] })), "The lead changed on move 2: the computer's “m2” let the draw by repetition go.");
  const lost = played.map((move) => (move.ply === 2 ? { ...move, kind: "forfeit", text: "x" } : move));
  assert.equal(words(won(), lost), "The lead changed on move 2: Bob's lost turn.");
  const erred = (seat, found = marks) => turnOf(won({ seat }), { marks: found, played }).erred;
  assert.deepEqual([erred(0), erred(1), erred(1, marks.slice(0, 1)), erred(null)], [true, true, false, false]);
});

test("of a game that never turned, that is said", () => {
  const marks = [mark(1, true), mark(2, true)];
  const of = (table, moves = played) => turnOf(table, { marks, played: moves });
  assert.deepEqual(of(won()), { ply: null, words: "The lead never changed: you were winning from the first move on.", erred: false });
  assert.equal(of(won({ seat: null })).words, "The lead never changed: Ann was winning from the first move on.");
  assert.equal(of(won({}, { winner_seat: null })).words, "The lead never changed: no move gave anything away.");
  // Whoever wins on time need not have been winning.
  assert.equal(of(won({}, { reason: "time" }), [...played, ended]).words, "The lead never changed: no move before the end gave anything away.");
});

test("of a game that was over before the first move, nothing is said", () => {
  assert.deepEqual(turnOf(won({}, { reason: "time" }), { marks: [], played: [ended] }), { ply: null, words: "", erred: false });
});

test("a busy server is asked again when it says so, as long as the game is the last one", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const answers = [
    Response.json({ error: "slow", text: "wait" }, { status: 429, headers: { "Retry-After": "2" } }),
    Response.json({ marks: [mark(1, true)], played }),
    Response.json({ error: "busy", text: "wait" }, { status: 503, headers: { "Retry-After": "2" } }),
    Response.json({ marks: [mark(1, false, "threw away the win")], played }),
    Response.json({ error: "bad", text: "too large" }, { status: 400 }),
  ];
  const asked = [];
  mock.method(globalThis, "fetch", async (path) => {
    asked.push(path);
    return answers.shift();
  });
  let found = 0;
  const turning = new Turning("/t", () => (found += 1));
  const over = (game) => ({ ...won(), status: "over", position: { game, ply: 3, result: { winner_seat: 0, finished: true } } });
  const settled = () => new Promise(setImmediate);
  const later = async (milliseconds) => {
    mock.timers.tick(milliseconds);
    await settled();
  };

  assert.equal(turning.of(over(1)), null);
  await settled();
  await later(1999);
  assert.equal(asked.length, 1);
  await later(1);
  assert.equal(turning.of(over(1)).words, "The lead never changed: you were winning from the first move on.");
  turning.of(over(2));
  await settled();
  turning.of(over(3)); // before the server was asked again about the second game
  await settled();
  await later(5000);
  assert.equal(turning.of(over(3)).ply, 1);
  turning.of(over(4));
  await settled();
  await later(60_000);
  assert.equal(turning.of(over(4)), null);
  assert.equal(found, 2);
  const games = asked.map((path) => path.split("/")[3]);
  assert.deepEqual(games, ["1", "1", "2", "3", "4"]);
});
