import assert from "node:assert/strict";
import { test } from "node:test";
import { CHOICES, LIMITS, clockText, controlWords, reading, silence, spanWords, timeLeft } from "../../src/perfectplay/web/static/clock.js";

const table = { left: [60_000, 30_000], waited: 2_000, status: "running", position: { seat: 1 } };

test("only the clock of the player to move runs, from when the message came", () => {
  const read = reading(table, 1000, 500);
  assert.equal(timeLeft(read, 1, 1000), 29_500);
  assert.equal(timeLeft(read, 1, 4000), 26_500);
  assert.equal(timeLeft(read, 0, 4000), 60_000);
  assert.equal(timeLeft(read, 1, 100_000), 0);
});

test("no clock runs before or after a game, and a table may have none", () => {
  assert.equal(timeLeft(reading({ ...table, status: "over" }, 0, 0), 1, 9000), 30_000);
  assert.equal(timeLeft(reading({ ...table, left: null }, 0, 0), 1, 9000), null);
});

test("silence is that of the player to move alone", () => {
  const read = reading(table, 1000, 500);
  assert.equal(silence(read, 1, 2000), 3_500);
  assert.equal(silence(read, 0, 2000), null);
});

test("a clock shows seconds that have begun, and tenths at the end", () => {
  const shown = [[300_000, "5:00"], [299_001, "5:00"], [61_000, "1:01"], [10_000, "0:10"], [9_999, "0:10"], [9_900, "0:09.9"], [50, "0:00.1"], [0, "0:00.0"]];
  for (const [left, text] of shown) assert.equal(clockText(left), text);
  assert.equal(clockText(7_384_000), "2:03:04");
  assert.equal(clockText(86_400_000 + 3_600_000), "1 d 1:00:00");
});

test("clocks are said in words", () => {
  assert.equal(spanWords(90), "90 seconds");
  assert.equal(controlWords({ per: "move", seconds: 1, increment: 0 }), "1 second a move");
  assert.equal(controlWords({ per: "game", seconds: 300, increment: 5 }), "5 minutes a game + 5 seconds a move");
  assert.deepEqual(CHOICES[2], ["3 minutes a game + 2 seconds a move", { clock: { per: "game", seconds: 180, increment: 2 } }]);
  assert.deepEqual(LIMITS[2], ["1 hour", { away_limit: 3600 }]);
});
