import assert from "node:assert/strict";
import { test } from "node:test";
import { capital, countWords, inMoves, isLocal, joinWords, percent, plain, sentence, settingWords, signOf, valueWords, whyNot, withNames } from "../../src/perfectplay/web/static/words.js";

test("a text becomes a sentence", () => {
  assert.equal(sentence("the game is over"), "The game is over.");
  assert.equal(sentence("are you sure?"), "Are you sure?");
  assert.equal(sentence("wait…"), "Wait…");
  assert.equal(capital(""), "");
});

test("a value is said in words", () => {
  const values = [
    { kind: "win", plies: 3 },
    { kind: "loss", plies: 1 },
    { kind: "tie", plies: null },
    { kind: "endless", plies: null },
    { kind: "undecided", plies: null },
  ];
  assert.deepEqual(values.map(valueWords), ["wins in 3 moves", "loses in 1 move", "ties", "never ends", "is undecided"]);
});

test("the coach counts moves and calls players by their names", () => {
  const told = "Move 3, Player 1: 4 threw away the win. Player 2 wins in 1 ply or 5 plies.";
  assert.equal(
    withNames(told, ["Player 1", "Player 2"], ["Ann", ""]),
    "Move 3, Ann: 4 threw away the win. Player 2 wins in 1 move or 5 moves.",
  );
});

test("a player may be called what the other side is called", () => {
  assert.equal(withNames("Player 1 beats Player 2.", ["Player 1", "Player 2"], ["Player 2", "Player 1"]), "Player 2 beats Player 1.");
});

test("words become a list", () => {
  assert.deepEqual([["a"], ["a", "b"], ["a", "b", "c"]].map((words) => joinWords(words, "or")), ["a", "a or b", "a, b or c"]);
});

test("a mark that nobody knows has no sign", () => {
  assert.equal(signOf("threw away the win"), "??");
  assert.equal(signOf("something new"), "");
});

test("a cell that cannot be chosen is explained by its rule, or by what can be chosen", () => {
  const cell = { label: "4", pieces: [], action: null, text: null, why: null };
  const view = { rows: [[cell, { ...cell, action: 1 }]] };
  assert.equal(whyNot({ ...cell, why: "it is taken" }, view, "dot"), "It is taken.");
  assert.equal(whyNot(cell, view, "dot"), "No move leads to 4 from here. Choose a cell with a dot.");
  assert.equal(whyNot(cell, { rows: [[cell]] }, "dot"), "You cannot choose 4 now. Choose a button.");
});

test("an error about a setting says what is allowed and what was entered", () => {
  assert.equal(settingWords("disqualify_after=x: must be none, or at least 1"), "Disqualify after must be none, or at least 1. You entered “x”.");
  assert.equal(settingWords("name: must not be empty"), "Name must not be empty");
  assert.equal(settingWords("the game is over"), "the game is over");
});

test("a share is rounded", () => {
  assert.equal(percent(2 / 3), "67%");
});

test("a link to the machine itself is known", () => {
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"]) assert.ok(isLocal(host), host);
  for (const host of ["localhost.example", "128.0.0.1", "192.168.0.1", "127.0.0.1.example"]) assert.ok(!isLocal(host), host);
});

test("the coach says it in everyday words", () => {
  assert.equal(plain("Move 3, Ann: left let the draw by repetition go; 1 of 2 moves would have kept it: right."), "Move 3, Ann: left let the draw by repetition go; 1 of 2 moves would have kept it: right.");
  assert.equal(plain("You win in 1 ply with best play."), "You win in 1 move with best play.");
  assert.equal(inMoves("after 12 plies; 8 safe plies are shown, multiply"), "after 12 moves; 8 safe moves are shown, multiply");
  assert.deepEqual([0, 1, 1234].map((number) => countWords(number, "finding")), ["0 findings", "1 finding", "1,234 findings"]);
});
