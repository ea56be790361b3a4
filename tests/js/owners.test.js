import assert from "node:assert/strict";
import { test } from "node:test";
import { ownersOf } from "../../src/perfectplay/web/static/owners.js";

const move = (ply, side, cell, adds = false) => ({ ply, side, placed: cell === null ? null : { cell, adds } });

test("a cell belongs to whoever filled it last, up to the position that is shown", () => {
  const moves = [move(1, 0, 2), move(2, 1, 0), move(3, 0, null), move(null, 1, null)];
  assert.deepEqual(ownersOf(moves, 3), [1, null, 0]);
  assert.deepEqual(ownersOf(moves, 1), [null, null, 0]);
  assert.deepEqual(ownersOf(moves, 0), []);
});

test("a cell that is added moves the others on", () => {
  assert.deepEqual(ownersOf([move(1, 0, 0, true), move(2, 1, 0, true), move(3, 0, 2, true)], 3), [1, 0, 0]);
});

test("in a very long game nobody is told apart", () => {
  assert.deepEqual(ownersOf(Array.from({ length: 201 }, (_, i) => move(i + 1, 0, i, true)), 201), []);
});
