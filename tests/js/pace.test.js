import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Pace } from "../../src/perfectplay/web/static/pace.js";

let now;
let shown;
/** @type {{ at: number, run: () => void } | null} */
let timer;

/** Let time pass. */
function tick(wait) {
  now += wait;
  if (!timer || timer.at > now) return;
  const { run } = timer;
  timer = null;
  run();
}

/** A pace that makes messages from 10 on wait for 500 milliseconds. */
const paced = () => new Pace((message) => shown.push(message), (message) => (message >= 10 ? 500 : 0));

beforeEach(() => {
  [now, shown, timer] = [10_000, [], null];
  mock.method(performance, "now", () => now);
  mock.method(globalThis, "setTimeout", (run, wait) => {
    timer = { at: now + wait, run };
    return 1;
  });
  mock.method(globalThis, "clearTimeout", () => {
    timer = null;
  });
});

afterEach(() => mock.restoreAll());

test("a message that need not wait is shown at once, one that must waits for a moment after the last", () => {
  const pace = paced();
  pace.add(1);
  tick(200);
  pace.add(10);
  pace.add(2); // in order: it does not overtake
  assert.deepEqual(shown, [1]);
  tick(299);
  assert.deepEqual(shown, [1]);
  tick(1);
  assert.deepEqual(shown, [1, 10, 2]);
});

test("what is held back can be shown at once", () => {
  const pace = paced();
  pace.add(1);
  pace.add(10);
  pace.flush();
  assert.deepEqual(shown, [1, 10]);
  tick(1000);
  assert.deepEqual(shown, [1, 10]);
});
