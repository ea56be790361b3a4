import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** @type {any[]} */
let made = [];

class Fake extends EventTarget {
  asked = [];
  ended = false;

  constructor() {
    super();
    made.push(this);
  }

  postMessage(text) {
    this.asked.push(text);
  }

  terminate() {
    this.ended = true;
  }

  say(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}

class FakeWorker extends Fake {}

class FakePort extends Fake {
  closed = false;

  start() {}

  close() {
    this.closed = true;
  }
}

class FakeShared extends EventTarget {
  constructor(_, options) {
    super();
    if (FakeShared.lasts) void options.extendedLifetime;
    this.port = new FakePort();
    FakeShared.last = this;
  }
}

Object.assign(globalThis, { Worker: FakeWorker, SharedWorker: FakeShared, localStorage: { getItem: () => null } });
const { SharedPython, isLasting } = await import("../../site/app/pythons.js");

/** A Python, and what is heard from it. */
function started() {
  const python = new SharedPython();
  const heard = [];
  python.addEventListener("message", ({ data }) => heard.push(data));
  python.addEventListener("error", () => heard.push("error"));
  return { python, heard };
}

beforeEach(() => {
  made = [];
  FakeShared.lasts = true;
});

test("pages talk to the shared worker, and leaving it does not end it", () => {
  const { python, heard } = started();
  const { port } = FakeShared.last;
  port.say({ ready: true });
  python.postMessage("this");
  assert.deepEqual(port.asked, ["this"]);
  assert.deepEqual(heard, [{ ready: true }]);
  assert.equal(python.shared, true);
  assert.equal(isLasting(), true);
  python.terminate();
  assert.equal(port.closed, true);
  assert.equal(port.ended, false);
  port.say({ reply: "too late" });
  assert.equal(heard.length, 1);
});

test("a browser that cannot let it outlive its page does not ask", () => {
  FakeShared.lasts = false;
  started().python.terminate();
  assert.equal(isLasting(), false);
});

test("where it is forbidden, fails, or says nothing, the page has a Python of its own", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { getItem } = globalThis.localStorage;
  try {
    const refusals = [
      () => {
        globalThis.localStorage.getItem = () => {
          throw new Error("denied");
        };
        return started();
      },
      () => {
        const found = started();
        FakeShared.last.dispatchEvent(new Event("error"));
        return found;
      },
      () => {
        const found = started();
        mock.timers.tick(10_000);
        return found;
      },
    ];
    for (const refusal of refusals) {
      globalThis.localStorage.getItem = getItem;
      const { python, heard } = refusal();
      const worker = made.at(-1);
      assert.equal(worker instanceof FakePort, false);
      python.postMessage("this");
      worker.say({ ready: true });
      worker.dispatchEvent(new Event("error"));
      assert.deepEqual(worker.asked, ["this"]);
      assert.deepEqual(heard, [{ ready: true }, "error"]);
      assert.equal(python.shared, false);
      python.terminate();
      assert.equal(worker.ended, true);
    }
  } finally {
    globalThis.localStorage.getItem = getItem;
    mock.timers.reset();
  }
});

test("an error of a shared worker that was given up starts nothing", () => {
  started().python.terminate();
  FakeShared.last.dispatchEvent(new Event("error"));
  assert.equal(made.length, 1); // its port
});

test("one that has spoken is not given up because it is busy", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { python } = started();
    FakeShared.last.port.say({ progress: 0 });
    mock.timers.tick(60_000);
    assert.equal(python.shared, true);
    assert.equal(made.length, 1);
  } finally {
    mock.timers.reset();
  }
});
