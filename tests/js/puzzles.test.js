import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { addSolved, dayOf, notADay, shareText, shiftDay, sign, streak } from "../../src/perfectplay/web/static/streak.js";

const TODAY = "2026-03-01";

test("a streak is the days in a row up to today, or up to yesterday while today is open", () => {
  assert.equal(streak([], TODAY), 0);
  assert.equal(streak([TODAY], TODAY), 1);
  assert.equal(streak(["2026-02-28"], TODAY), 1);
  assert.equal(streak(["2026-02-28", TODAY], TODAY), 2);
  assert.equal(streak([TODAY, "2026-02-27", "2026-02-28", "2026-02-26"], TODAY), 4); // in any order
});

test("a missed day ends it", () => {
  assert.equal(streak(["2026-02-27"], TODAY), 0);
  assert.equal(streak(["2026-02-26", "2026-02-27", TODAY], TODAY), 1);
  assert.equal(streak(["2026-03-02"], TODAY), 0); // a clock that was ahead
});

test("days go over the ends of months and years, leap years and changes of the clock", () => {
  assert.equal(shiftDay("2024-03-01", -1), "2024-02-29");
  assert.equal(shiftDay("2026-03-01", -1), "2026-02-28");
  assert.equal(shiftDay("2025-12-31", 1), "2026-01-01");
  let day = "2026-01-01";
  for (let i = 0; i < 365; i += 1) day = shiftDay(day, 1);
  assert.equal(day, "2027-01-01");
  assert.equal(dayOf(new Date(2026, 2, 29, 2, 30)), "2026-03-29");
  assert.equal(dayOf(new Date(2026, 11, 31, 23, 59)), "2026-12-31");
});

test("only a day's own puzzles count, and each day once", () => {
  assert.deepEqual(addSolved(["2026-02-28"], TODAY, TODAY), ["2026-02-28", TODAY]);
  assert.deepEqual(addSolved([TODAY], TODAY, TODAY), [TODAY]);
  assert.deepEqual(addSolved([], "2026-02-28", TODAY), []);
});

test("an address names a day that has begun, or it is said what is wrong", () => {
  for (const day of [TODAY, "2026-02-28", "1970-01-01"]) assert.equal(notADay(day, TODAY), "");
  for (const day of ["x", "2026-02-30", "2026-2-1", "2026-13-01"]) assert.equal(notADay(day, TODAY), `“${day}” is not a date such as 2026-01-05.`);
  assert.equal(notADay("2026-03-02", TODAY), "The puzzles of 2026-03-02 are not out yet.");
  assert.equal(notADay("1969-12-31", TODAY), "There are no puzzles before 1970-01-01.");
});

test("what is shared names the results and no answer", () => {
  const results = [
    { title: "Bit Flip", result: { tries: 1, solved: true, shown: false } },
    { title: "Mirror Match", result: { tries: 3, solved: true, shown: false } },
    { title: "Dual Direction", result: { tries: 2, solved: false, shown: true } },
    { title: "Race", result: { tries: 2, solved: false, shown: false } },
    { title: "Other" },
  ];
  assert.equal(
    shareText({ day: TODAY, results, length: 1, link: "https://example.org/#2026-03-01" }),
    [
      "perfectplay puzzles, 2026-03-01",
      "● Bit Flip",
      "◐ Mirror Match: solved, 3 tries",
      "○ Dual Direction: answer shown",
      "· Race: open, 2 tries",
      "· Other: open",
      "Streak: 1 day",
      "https://example.org/#2026-03-01",
    ].join("\n"),
  );
  assert.ok(!shareText({ day: TODAY, results: [], length: 0, link: "x" }).includes("Streak"));
  assert.ok(shareText({ day: TODAY, results: [], length: 2, link: "x" }).includes("Streak: 2 days"));
  assert.equal(sign().words, "open");
});

let stored = new Map();
let broken = false;
globalThis.localStorage = {
  getItem: (key) => {
    if (broken) throw new Error("no storage");
    return stored.get(key) ?? null;
  },
  setItem: (key, value) => {
    if (broken) throw new Error("no storage");
    stored.set(key, value);
  },
};
const { keptDays, remember, resultOf } = await import("../../src/perfectplay/web/static/results.js");

beforeEach(() => {
  stored = new Map();
  broken = false;
});

test("a result counts tries, and stays once the puzzle is settled", () => {
  remember(TODAY, "a", "wrong", TODAY);
  remember(TODAY, "a", "solved", TODAY);
  remember(TODAY, "a", "wrong", TODAY);
  remember(TODAY, "a", "shown", TODAY);
  assert.deepEqual(resultOf(TODAY, "a"), { tries: 2, solved: true, shown: false });
  remember(TODAY, "b", "shown", TODAY);
  remember(TODAY, "b", "solved", TODAY);
  assert.deepEqual(resultOf(TODAY, "b"), { tries: 0, solved: false, shown: true });
  assert.deepEqual(keptDays(), [TODAY]);
});

test("an answer that was shown, or a puzzle of another day, keeps no day", () => {
  remember(TODAY, "a", "shown", TODAY);
  remember("2026-02-27", "a", "solved", TODAY);
  assert.deepEqual(keptDays(), []);
});

test("what another tab wrote is kept, and what is not readable is not used", () => {
  remember(TODAY, "a", "wrong", TODAY);
  stored.set("perfectplay-puzzles", JSON.stringify({ results: { [`${TODAY}/b`]: { tries: 1, solved: true, shown: false } }, days: [TODAY] }));
  remember(TODAY, "c", "wrong", TODAY);
  assert.ok(resultOf(TODAY, "b")?.solved);
  stored.set("perfectplay-puzzles", "{");
  remember(TODAY, "a", "wrong", TODAY);
  assert.deepEqual(resultOf(TODAY, "a"), { tries: 1, solved: false, shown: false });
  broken = true;
  remember(TODAY, "a", "solved", TODAY);
  remember(TODAY, "d", "wrong", TODAY);
  broken = false; // as where the storage is full: it can be read, but what was written last is not there
  remember(TODAY, "e", "wrong", TODAY);
  assert.ok(resultOf(TODAY, "a")?.solved);
  assert.ok(resultOf(TODAY, "d"));
});
