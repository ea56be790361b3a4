import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Engine } from "../../site/app/engine.js";

/** A worker that says what the test lets it say. */
class FakeWorker extends EventTarget {
  asked = [];
  ended = false;

  postMessage(text) {
    this.asked.push(JSON.parse(text));
  }

  terminate() {
    this.ended = true;
  }

  say(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }

  reply(answer) {
    this.say({ reply: JSON.stringify({ id: this.asked.at(-1).id, ...answer }) });
  }
}

function started() {
  const workers = [];
  const engine = new Engine(() => {
    workers.push(new FakeWorker());
    return workers.at(-1);
  });
  return { engine, workers };
}

test("questions wait for Python, and are asked one at a time", async () => {
  const { engine, workers } = started();
  const first = engine.ask("a.b", { x: 1 });
  const second = engine.ask("a.c");
  const [worker] = workers;
  assert.equal(workers.length, 1);
  assert.deepEqual(worker.asked, []);
  worker.say({ ready: true });
  await engine.started;
  assert.deepEqual(worker.asked, [{ id: 1, ask: "a.b", with: { x: 1 } }]);
  worker.reply({ answer: 5 });
  assert.equal(await first, 5);
  worker.reply({ problem: { error: "large", text: "too large" } });
  await assert.rejects(second, { code: "large", message: "too large" });
});

test("a worker that says nothing is replaced, and the others' questions are answered", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { engine, workers } = started();
    const slow = engine.ask("a.slow", {}, 4);
    const quick = engine.ask("a.quick");
    workers[0].say({ ready: true });
    mock.timers.tick(3999);
    assert.equal(workers[0].ended, false);
    mock.timers.tick(1);
    await assert.rejects(slow, { code: "slow", message: "This takes longer than 4 seconds, the most that this tab spends on it. Try a smaller game." });
    assert.equal(workers[0].ended, true);
    workers[0].say({ reply: "{}" }); // too late: nobody listens
    workers[1].say({ ready: true });
    workers[1].reply({ answer: "quick" });
    assert.equal(await quick, "quick");
  } finally {
    mock.timers.reset();
  }
});

test("a reply that nobody asked for or can read ends the worker, and its question", async () => {
  for (const reply of ["{", "null", '{"id": 2, "answer": 5}', '{"answer": 5}']) {
    const { engine, workers } = started();
    const asked = engine.ask("a.b");
    const waiting = engine.ask("a.c");
    workers[0].say({ ready: true });
    workers[0].say({ reply });
    await assert.rejects(asked, { code: "failed" });
    assert.equal(workers[0].ended, true);
    workers[1].say({ ready: true });
    workers[1].reply({ answer: "from the next" });
    assert.equal(await waiting, "from the next");
    workers[1].say({ reply: '{"id": 2, "answer": "again"}' });
    assert.equal(workers[1].ended, true);
  }
});

test("a worker cannot put off its deadline by starting again", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { engine, workers } = started();
    const slow = engine.ask("a.slow", {}, 4);
    workers[0].say({ ready: true });
    workers[0].say({ ready: true });
    mock.timers.tick(4000);
    await assert.rejects(slow, { code: "slow" });
  } finally {
    mock.timers.reset();
  }
});

test("what is running can be stopped, and the next question starts Python anew", async () => {
  const { engine, workers } = started();
  const running = engine.ask("a.b");
  const waiting = engine.ask("a.c");
  workers[0].say({ ready: true });
  engine.restart();
  await assert.rejects(running, { code: "stopped" });
  await assert.rejects(waiting, { code: "stopped" });
  engine.ask("a.d").catch(() => {});
  assert.equal(workers.length, 2);
  engine.restart(); // else its deadline would keep the test waiting
});

test("Python that cannot be loaded is said to be so, and is tried again", async () => {
  const { engine, workers } = started();
  const asked = engine.ask("a.b");
  workers[0].say({ failed: "TypeError: Failed to fetch" });
  await assert.rejects(asked, { code: "start" });
  engine.ask("a.b").catch(() => {});
  assert.equal(workers.length, 2);
  engine.restart();
});

test("the deadline of a shared Python counts from when it begins, and cannot be put off", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { engine, workers } = started();
    const asked = engine.ask("a.slow", {}, 4);
    workers[0].shared = true;
    workers[0].say({ ready: true });
    mock.timers.tick(30_000); // it works for another page
    workers[0].say({ began: true });
    mock.timers.tick(3999);
    workers[0].say({ began: true });
    assert.equal(workers[0].ended, false);
    mock.timers.tick(1);
    await assert.rejects(asked, { code: "slow" });
  } finally {
    mock.timers.reset();
  }
});

test("a question that a shared Python had not begun with is asked again when that fails", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    for (const fail of [(worker) => worker.say({ stopped: "by another page" }), () => mock.timers.tick(60_000)]) {
      const { engine, workers } = started();
      const asked = [engine.ask("a.b"), engine.ask("a.c")];
      workers[0].shared = true;
      workers[0].say({ ready: true });
      fail(workers[0]);
      assert.equal(workers[0].ended, true);
      workers[1].say({ ready: true });
      for (const answer of [1, 2]) workers[1].reply({ answer });
      assert.deepEqual(await Promise.all(asked), [1, 2]);
      assert.deepEqual(workers[1].asked.map(({ ask }) => ask), ["a.b", "a.c"]);
    }
  } finally {
    mock.timers.reset();
  }
});

test("Python may take its time to arrive, as long as more of it does", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { engine, workers } = started();
    const heard = [];
    engine.watch(({ ready, share, wanted }) => heard.push([ready, share, wanted]));
    const asked = engine.ask("a.b");
    for (const progress of [0.2, 0.4]) {
      mock.timers.tick(119_000);
      workers[0].say({ progress });
    }
    mock.timers.tick(119_000);
    workers[0].say({ progress: 0.4 }); // nothing new
    assert.deepEqual(heard, [[false, 0, false], [false, 0, true], [false, 0.2, true], [false, 0.4, true]]); // biome-ignore format: a table
    mock.timers.tick(1000);
    await assert.rejects(asked, { code: "slow" });
  } finally {
    mock.timers.reset();
  }
});

test("a Python that breaks fails its question, and another answers the rest", async () => {
  const { engine, workers } = started();
  const asked = engine.ask("a.b");
  const waiting = engine.ask("a.c");
  workers[0].say({ ready: true });
  workers[0].say({ stopped: "out of memory" });
  await assert.rejects(asked, { code: "failed" });
  workers[1].say({ ready: true });
  workers[1].reply({ answer: 1 });
  assert.equal(await waiting, 1);
});
