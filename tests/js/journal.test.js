import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { histories, levelWords } from "../../src/perfectplay/web/static/history.js";
import { addAttempt, dueExercises, dueOn, merge } from "../../src/perfectplay/web/static/schedule.js";

/** What Python says of the same rows and attempts; tests/strength/test_pages.py holds it to that. */
const golden = JSON.parse(readFileSync(new URL("./journal.json", import.meta.url), "utf-8"));

test("an exercise comes back when Python says so", () => {
  for (const { attempts, due } of golden.schedule) assert.equal(dueOn({ attempts }), due);
});

test("what is due longest comes first, and an attempt is added", () => {
  const one = { game: "g", key: "1", attempts: [["2026-01-05", false]] };
  const two = { game: "g", key: "2", attempts: [["2026-01-03", false]] };
  assert.deepEqual(dueExercises([one, two], "2026-01-05"), [two, one]);
  assert.deepEqual(dueExercises([one, two], "2026-01-04"), [two]);
  assert.equal(dueOn(addAttempt(one, "2026-01-05", true)), "2026-01-06");
});

test("positions that are equal by symmetry are one exercise with all attempts", () => {
  const known = { game: "g", key: "1", position: "a", attempts: [["2026-01-03", false]] };
  const again = { game: "g", key: "1", position: "b", attempts: [["2026-01-05", false]] };
  assert.deepEqual(merge([known], [again]), [{ ...again, attempts: [["2026-01-03", false], ["2026-01-05", false]] }]);
  assert.deepEqual(merge([known], [known]), [known]);
});

/** Numbers to nine digits: the order of a sum may change the last ones. */
const rounded = (value) => JSON.parse(JSON.stringify(value), (_, each) => (typeof each === "number" ? Number(each.toFixed(9)) : each));

test("the statistics are those of Python", () => {
  for (const { rows, histories: found, words } of golden.statistics) {
    assert.deepEqual(rounded(histories(rows)), rounded(found));
    assert.deepEqual(histories(rows).map((each) => levelWords(each.plays_like)), words);
  }
});
