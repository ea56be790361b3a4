import assert from "node:assert/strict";
import { test } from "node:test";
import { fileIn, fragmentOf, pairFragment, pairIn } from "../../site/workbench/link.js";
import { limitMemory } from "../../site/app/pyodide.js";
import { layout, shortNames } from "../../site/workbench/plots.js";
import { wrongRange } from "../../site/workbench/sweep.js";
import { basis, lawMarks, lawsHeading, noValues, outlook, plainName, sayWhatBlocked, sayWhyEnded, sliderRange, troubleWords } from "../../site/workbench/words.js";

const PAGE = 65_536;

/** A module that exports a memory of one page at first and `most` at most, in as many bytes as `most` takes. */
function moduleWith(most) {
  const memory = [5, 2 + most.length + 1, 1, 1, 1, ...most];
  const exports = [7, 5, 1, 1, 109, 2, 0];
  return new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...memory, ...exports]);
}

const FOUR_GIGABYTES = [0x80, 0x80, 0x04]; // 65,536 pages

/** @param {Uint8Array} module */
const memoryOf = (module) => /** @type {WebAssembly.Memory} */ (new WebAssembly.Instance(new WebAssembly.Module(module)).exports.m);

test("a module's memory grows to its cap and no further", () => {
  const memory = memoryOf(limitMemory(moduleWith(FOUR_GIGABYTES), 5 * PAGE));
  memory.grow(4);
  assert.equal(memory.buffer.byteLength, 5 * PAGE);
  assert.throws(() => memory.grow(1), RangeError);
  assert.equal(memoryOf(moduleWith(FOUR_GIGABYTES)).grow(5), 1); // without the cap it grows
});

test("a module whose memory cannot be capped is refused", () => {
  assert.throws(() => limitMemory(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]), PAGE), /no memory/);
  assert.throws(() => limitMemory(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1]), PAGE), /no memory with a greatest size/);
  assert.throws(() => limitMemory(moduleWith([4]), 200 * PAGE), /too large/);
});

test("a link carries a file, whatever is in it, in letters that a link may have", async () => {
  for (const text of ["", "x = 1\n", "# Zoë → 🎲\n".repeat(500)]) {
    const fragment = await fragmentOf(text);
    assert.match(fragment, /^#file=[\w-]*$/);
    assert.equal(await fileIn(fragment), text);
  }
  assert.ok((await fragmentOf("    return state\n".repeat(1000))).length < 300);
});

test("a link carries two rule sets, and nothing but rule sets", async () => {
  const pair = { one: { source: "a = 1\n", settings: {} }, other: { source: "b = 2\n", settings: { bits: "11" } } };
  const fragment = await pairFragment(pair);
  assert.deepEqual(await pairIn(fragment), pair);
  assert.equal(await pairIn("#file=abc"), null);
  await assert.rejects(pairIn(fragment.slice(0, -5)));
  await assert.rejects(pairFragment({ one: { source: 1, settings: {} }, other: pair.other }).then(pairIn));
});

test("a fragment without a file, and a cut one", async () => {
  assert.equal(await fileIn(""), null);
  assert.equal(await fileIn("#tic_tac_toe.py"), null);
  const whole = await fragmentOf("def f():\n    return 12345\n");
  await assert.rejects(fileIn(whole.slice(0, -5)));
  await assert.rejects(fileIn("#file=%%%"));
});

test("what perfect play leads to, in a sentence", () => {
  const verdict = { broken: [], leftovers: [], trusted: true, whole: true, positions: 1, moves: 1234, scope: "", result: "X wins", plies: 1, kind: "win" };
  assert.equal(outlook(verdict), "With best play X wins in 1 move.");
  assert.equal(outlook({ ...verdict, plies: null }), "With best play X wins.");
  assert.equal(outlook({ ...verdict, kind: "tie", plies: 9 }), "With best play it is a tie in 9 moves.");
  assert.equal(outlook({ ...verdict, kind: "endless", plies: null }), "With best play the game never ends.");
  assert.match(outlook({ ...verdict, kind: null }), /too many positions/);
  assert.match(outlook({ ...verdict, kind: null, result: "undecided" }), /^Undecided: play can get stuck/);
  assert.match(outlook({ ...verdict, trusted: false }), /broken laws/);
  assert.equal(basis(verdict), "All 1 position and 1,234 moves were visited.");
  const part = { ...verdict, whole: false, scope: "first 2,000 positions" };
  assert.match(basis(part), /first 2,000 positions\.$/);
  assert.equal(basis({ ...verdict, trusted: false }), "");
});

test("errors name their line, and what the browser blocked is told without jargon", () => {
  assert.equal(troubleWords({ kind: "file", line: 3, text: "SyntaxError: invalid syntax" }), "Line 3: SyntaxError: invalid syntax");
  assert.equal(troubleWords({ kind: "file", line: null, text: "the file is empty" }), "The file is empty");
  assert.match(troubleWords({ kind: "time", line: 7, text: "It was stopped." }), /^Line 7: .*loop without an end/);
  assert.match(sayWhatBlocked("connect-src http://example.org/x"), /network \(http:\/\/example.org\/x\)/);
  assert.match(sayWhatBlocked("script-src eval"), /tried to run JavaScript from a text \(eval\)/);
  assert.match(sayWhatBlocked("worker-src data"), /something that game files may not do \(worker-src\)/);
  for (const report of ["script-src eval", "worker-src data", ""]) assert.doesNotMatch(sayWhatBlocked(report), /network/);
  assert.equal(sayWhyEnded({ code: "stopped", message: "" }), "Stopped.");
  assert.equal(sayWhyEnded({ code: "start", message: "Python could not be loaded." }), "Python could not be loaded.");
  assert.match(sayWhyEnded(new TypeError("Cannot read properties of null")), /^The answer cannot be shown/);
});

test("why moves have no values, unless they have", () => {
  assert.match(noValues("laws"), /laws that are broken/);
  assert.match(noValues("size"), /too many positions/);
  assert.match(noValues("dead-end"), /play can get stuck/);
  assert.equal(noValues(null), "");
});

test("a broken law is marked at its line, with what to do about it", () => {
  const broken = { laws: ["theory"], problem: "the theory is wrong", grave: true, advice: "Delete it.", where: "", line: 7, witness: [] };
  assert.equal(lawsHeading([broken]), "The game breaks a law that everything else relies on:");
  assert.equal(lawsHeading([{ ...broken, grave: false }]), "The game breaks a law:");
  assert.equal(lawsHeading([{ ...broken, grave: false }, broken]), "The game breaks laws that everything else relies on:");
  assert.deepEqual(lawMarks([broken, { ...broken, line: null }, { ...broken, line: 9, advice: "" }]), [
    { line: 7, text: "The theory is wrong. Delete it." },
    { line: 9, text: "The theory is wrong." },
  ]);
});

test("a file cannot name its download or the commands to copy as it likes", () => {
  assert.equal(plainName("my_game_2.py"), "my_game_2.py");
  for (const name of ["x.py; rm -rf ~", "x.html", "../x.py", "x.py\n", `${"x".repeat(100)}.py`, null, 3]) assert.equal(plainName(name), "game.py");
});

test("a slider stays within the bounds of its parameter, or around its value", () => {
  const parameter = { value: "7", default: "7", least: 3, most: null };
  assert.deepEqual(sliderRange(parameter), { from: 3, to: 14 });
  assert.deepEqual(sliderRange({ ...parameter, most: 9 }), { from: 3, to: 9 });
  assert.deepEqual(sliderRange({ ...parameter, value: "30", default: "the center" }), { from: 3, to: 60 });
  assert.deepEqual(sliderRange({ value: "-2", default: "1", least: null, most: null }), { from: -2, to: 7 });
});

test("a sweep is over whole numbers, and not too many", () => {
  for (const [from, to] of [[1, 1], [-3, 3], [0, 59]]) assert.equal(wrongRange(from, to), "");
  for (const [from, to] of [[2, 1], [0, 60], [0.5, 2], [0, Number.NaN]]) assert.match(wrongRange(from, to), /at most 60 values/);
});

const numbers = (from, count) => Array.from({ length: count }, (_, i) => String(from + i));

test("plots take the room there is, side by side if they can", () => {
  for (const count of [1, 6, 12, 17]) assert.ok(layout(300, numbers(1, count), ["9"]).width <= 300, `${count} values`);
  for (const [room, count, beside] of [[1200, 6, true], [1200, 20, true], [1200, 40, false], [700, 6, false]]) {
    const laid = layout(room, numbers(1, count), ["9"]);
    assert.equal(laid.beside, beside, `${count} values in ${room}`);
    assert.ok(laid.width > (beside ? room / 3 : room) * 0.7 || laid.step === 60, `${count} values in ${room} take ${laid.width}`);
  }
  assert.ok(layout(300, numbers(1, 60), ["9"]).width > 800); // squares that are too narrow could not be told apart
});

test("what is written at a plot is neither cut nor merged", () => {
  for (const [from, count] of [[1, 20], [0, 60], [95, 20], [99_990, 20]]) {
    const values = numbers(from, count);
    const { left, step, every, width } = layout(300, values, ["12,345.6"]);
    const text = 6.5 * Math.max(...values.map((value) => value.length));
    assert.ok(every * step >= text + 4, `${from} and on`);
    assert.ok(left + (count - 0.5) * step + text / 2 <= width);
    assert.ok(left - 8 >= 6.5 * "12,345.6".length);
  }
});

test("the sides have short names that differ", () => {
  assert.deepEqual(shortNames(["Player 1", "Player 2"]), ["P1", "P2"]);
  assert.deepEqual(shortNames(["X", "O"]), ["X", "O"]);
  assert.deepEqual(shortNames(["White", "Wolf"]), ["1", "2"]);
  assert.deepEqual(shortNames(["Player 1", "Player 2"], 1), ["1", "2"]); // in a narrow square
});
