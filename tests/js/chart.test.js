import assert from "node:assert/strict";
import { test } from "node:test";
import { pointAt, pointWords } from "../../src/perfectplay/web/static/chart.js";

test("a point of the chart says who wins and how soon", () => {
  const words = (kind, plies) => pointWords({ kind, plies }, ["Ann", "Bob"]);
  assert.equal(words("win", 3), "Ann wins in 3 moves");
  assert.equal(words("loss", 1), "Bob wins in 1 move");
  assert.equal(words("loss", 0), "Bob has won");
  assert.equal(words("win", null), "Ann wins");
  assert.equal(words("tie", 2), "a tie in 2 moves");
  assert.equal(words("tie", 0), "a tie");
  assert.equal(words("endless", null), "endless play");
  assert.equal(words("undecided", null), "undecided");
});

test("keys lead to every point of the chart, and those for pages to mistakes", () => {
  const points = [false, true, false, true, false].map((mistake, ply) => ({ ply, mistake }));
  const from = (shown) => Object.fromEntries(["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].map((key) => [key, pointAt(key, points, shown)]));
  assert.deepEqual(from(2), { ArrowLeft: 1, ArrowRight: 3, Home: 0, End: 4, PageUp: 1, PageDown: 3 });
  assert.deepEqual(from(0), { ArrowLeft: undefined, ArrowRight: 1, Home: 0, End: 4, PageUp: undefined, PageDown: 1 });
  assert.deepEqual(from(4), { ArrowLeft: 3, ArrowRight: undefined, Home: 0, End: 4, PageUp: 3, PageDown: undefined });
  assert.equal(pointAt("Enter", points, 2), undefined);
});
