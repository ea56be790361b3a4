import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { FramedWorker } from "../../site/workbench/sandbox.js";

const REQUEST = JSON.stringify({ id: 1, ask: "workbench.game", with: {} });

/** A worker that has started and been asked something, and what became of it. */
function asked() {
  const happened = [];
  const worker = new FramedWorker({ post: () => {}, blocked: (text) => happened.push(text) }, 1, () => {});
  worker.addEventListener("error", () => happened.push("error"));
  worker.addEventListener("message", ({ data }) => happened.push(data.ready ? "ready" : (data.reply ?? data.failed)));
  worker.hear({ ready: true });
  worker.postMessage(REQUEST);
  assert.deepEqual(happened.splice(0), ["ready"]);
  return { worker, happened };
}

test("a worker that says nothing is given up within four seconds, whatever it said before", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    for (const said of [{}, { ready: true }, { blocked: "connect-src" }]) {
      const { worker, happened } = asked();
      if (Object.keys(said).length) worker.hear(said);
      happened.length = 0;
      mock.timers.tick(4000);
      assert.deepEqual(happened, ["error"], JSON.stringify(said));
    }
    const { worker, happened } = asked();
    for (let beats = 0; beats < 5; beats += 1) {
      mock.timers.tick(3000);
      worker.hear({ beat: true });
    }
    worker.hear({ reply: "{}" });
    mock.timers.tick(4000);
    assert.deepEqual(happened, ["{}"]);
  } finally {
    mock.timers.reset();
  }
});

test("a worker that was ended, or says after its start that it failed to start, is replaced", () => {
  for (const said of [{ ended: "flood" }, { failed: "no connection" }]) {
    const { worker, happened } = asked();
    worker.hear(said);
    assert.deepEqual(happened, ["error"]);
  }
});
