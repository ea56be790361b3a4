import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { TableSocket } from "../../src/perfectplay/web/static/socket.js";

/** A WebSocket without a network; `made` has all there were, the newest last. */
class FakeSocket extends EventTarget {
  static OPEN = 1;
  static made = [];

  constructor(address) {
    super();
    Object.assign(this, { address, readyState: 0, sent: [], closed: false });
    FakeSocket.made.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
  }

  tell(message) {
    this.readyState = 1;
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }

  fail() {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }
}

/** Timers that go off when `tick` says so. Those of node 18's own runner forget a timer when none is cleared. */
function fakeClock() {
  const timers = new Map();
  let [now, count] = [0, 0];
  const set = (run, wait, every) => {
    count += 1;
    timers.set(count, { at: now + wait, run, every });
    return count;
  };
  const tick = (wait) => {
    const end = now + wait;
    for (;;) {
      const [next] = [...timers].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at);
      if (!next) break;
      const [id, timer] = next;
      now = timer.at;
      if (timer.every) timer.at += timer.every;
      else timers.delete(id);
      timer.run();
    }
    now = end;
  };
  return {
    tick,
    globals: {
      setTimeout: (run, wait) => set(run, wait),
      setInterval: (run, wait) => set(run, wait, wait),
      clearTimeout: (id) => timers.delete(id),
    },
  };
}

const newest = () => FakeSocket.made[FakeSocket.made.length - 1];
const MOVE = { number: 3, kind: "move", text: "4" };
let told;
let clock;

/** A table's socket; what it tells the page is kept. */
function connect() {
  const tell = (what) => (heard) => told.push([what, heard]);
  return new TableSocket("t", { after: () => 2, onMessage: tell("heard"), onState: tell("changed"), onFailure: tell("failing") });
}

beforeEach(() => {
  told = [];
  FakeSocket.made = [];
  clock = fakeClock();
  mock.method(Math, "random", () => 1);
  Object.assign(globalThis, clock.globals, {
    WebSocket: FakeSocket,
    location: { protocol: "https:", host: "play.example" },
    document: Object.assign(new EventTarget(), { visibilityState: "visible" }),
    addEventListener: () => {},
  });
});

afterEach(() => mock.restoreAll());

test("a move is sent once the table is ready, and confirmed", async () => {
  const socket = connect();
  assert.equal(newest().address, "wss://play.example/api/tables/t/socket?after=2");
  const sending = socket.send(MOVE);
  assert.deepEqual(newest().sent, []);
  newest().tell({ type: "ready" });
  assert.deepEqual(newest().sent, [{ do: "event", id: 1, ...MOVE }]);
  newest().tell({ type: "answer", id: 9, ok: true, event: { number: 9 } }); // not of this move
  newest().tell({ type: "answer", id: 1, ok: true, event: { number: 3 } });
  assert.deepEqual(await sending, { number: 3 });
  assert.equal(socket.pending, null);
  assert.deepEqual(told, [
    ["heard", { type: "ready" }],
    ["changed", "connected"],
  ]);
});

test("a move that was not confirmed is sent again, under the same number and id", async () => {
  const socket = connect();
  const sending = socket.send(MOVE);
  newest().tell({ type: "ready" });
  const [first] = newest().sent;
  newest().fail();
  clock.tick(250);
  assert.equal(FakeSocket.made.length, 2);
  newest().tell({ type: "ready" });
  assert.deepEqual(newest().sent, [first]);
  newest().tell({ type: "answer", id: 1, ok: true, event: { number: 3 } });
  assert.deepEqual(await sending, { number: 3 });
});

test("a move is refused by the server, and a second one while the first is on its way", async () => {
  const socket = connect();
  const sending = socket.send(MOVE);
  await assert.rejects(socket.send(MOVE), { code: "pending" });
  newest().tell({ type: "ready" });
  newest().tell({ type: "answer", id: 1, ok: false, error: "turn", text: "it is not your turn" });
  await assert.rejects(sending, { status: 409, code: "turn", message: "it is not your turn" });
});

test("a lost connection is tried again after waits that grow to less than a second", () => {
  connect();
  for (const wait of [250, 500, 900, 900, 900, 900, 900]) {
    const count = FakeSocket.made.length;
    newest().fail();
    clock.tick(wait - 1);
    assert.equal(FakeSocket.made.length, count);
    clock.tick(1);
    assert.equal(FakeSocket.made.length, count + 1);
  }
  assert.ok(!told.some(([what]) => what === "failing"));
  newest().fail(); // for the eighth time: the page looks whether the table is still there
  assert.ok(told.some(([what]) => what === "failing"));
});

test("a connection that does not open is given up, and what it says later is not heard", () => {
  connect();
  const [first] = FakeSocket.made;
  clock.tick(5000);
  assert.ok(first.closed);
  clock.tick(250);
  assert.equal(FakeSocket.made.length, 2);
  first.tell({ type: "ready" });
  assert.ok(!told.some(([what]) => what === "heard"));
});

test("a connection that answers no ping is given up", () => {
  connect();
  newest().tell({ type: "ready" });
  clock.tick(10_000);
  assert.deepEqual(newest().sent, [{ do: "ping" }]);
  newest().tell({ type: "pong" });
  clock.tick(10_000);
  assert.ok(!newest().closed);
  clock.tick(6_000);
  assert.ok(FakeSocket.made[0].closed);
  assert.deepEqual(told[told.length - 1], ["changed", "reconnecting"]);
});

test("a socket that was stopped stays closed", () => {
  const socket = connect();
  socket.stop();
  newest().fail();
  clock.tick(60_000);
  assert.equal(FakeSocket.made.length, 1);
  assert.ok(newest().closed);
});

test("a mark is sent back at once", () => {
  connect();
  newest().tell({ type: "pong", mark: 7 });
  assert.deepEqual(newest().sent, [{ do: "echo", mark: 7 }]);
});
