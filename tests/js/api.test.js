import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { get, getText, post, Refused } from "../../src/perfectplay/web/static/api.js";
import { patiently } from "../../src/perfectplay/web/static/patience.js";

afterEach(() => {
  mock.restoreAll();
  mock.timers.reset();
});

/** Let the server give an answer; the requests are kept. */
function answering(answer) {
  return mock.method(globalThis, "fetch", async () => answer).mock;
}

test("a shape is sent and read as JSON", async () => {
  const asked = answering(Response.json({ table: { id: "t" } }));
  assert.deepEqual(await post("/api/tables", { game: "bit-flip" }), { table: { id: "t" } });
  const [path, options] = asked.calls[0].arguments;
  assert.equal(path, "/api/tables");
  assert.equal(options.method, "POST");
  assert.equal(options.credentials, "same-origin");
  assert.deepEqual(options.headers, { "Content-Type": "application/json" });
  assert.equal(options.body, '{"game":"bit-flip"}');
});

test("a text stays a text", async () => {
  answering(new Response("# Rules"));
  assert.equal(await getText("/api/games/bit-flip/rules"), "# Rules");
});

test("what the server refuses is an error with its code, its sentence and the table it is about", async () => {
  answering(Response.json({ error: "seated", text: "you have a seat", table: "t" }, { status: 403 }));
  await assert.rejects(get("/api/study"), (error) => {
    assert.ok(error instanceof Refused);
    assert.deepEqual([error.status, error.code, error.message, error.table], [403, "seated", "you have a seat", "t"]);
    return true;
  });
});

test("a busy server says when it wants to be asked again", async () => {
  answering(Response.json({ error: "busy", text: "later" }, { status: 503, headers: { "Retry-After": "5" } }));
  await assert.rejects(get("/api/study"), { code: "busy", wait: 5 });
  answering(Response.json({ error: "bad", text: "no" }, { status: 400 }));
  await assert.rejects(get("/api/study"), { code: "bad", wait: 0 });
});

test("an answer from something in between has its status alone", async () => {
  answering(new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await assert.rejects(get("/api/games"), { status: 502, code: "status", message: "The server answered with status 502." });
});

test("a server that cannot be reached is said to be so", async () => {
  mock.method(globalThis, "fetch", async () => {
    throw new TypeError("fetch failed");
  });
  await assert.rejects(get("/api/games"), { status: 0, code: "network", message: /cannot be reached/ });
});

test("an answer that breaks off is like none", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  answering(new Response(broken));
  await assert.rejects(get("/api/games"), { code: "network" });
});

test("whoever is patient asks again after the time that the server names, until it is refused for good", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const refusals = [new Refused(503, "busy", "later", null, 5), new Refused(429, "slow", "wait", null, 1), new Refused(404, "missing", "none")];
  const [left, told] = [[...refusals], []];
  const asking = patiently(
    async () => {
      throw left.shift();
    },
    (error) => told.push(error),
  );
  const passes = async (milliseconds) => {
    await new Promise(setImmediate);
    mock.timers.tick(milliseconds);
    await new Promise(setImmediate);
  };
  await passes(4999);
  assert.equal(left.length, 2);
  await passes(1);
  assert.equal(left.length, 1);
  const refused = assert.rejects(asking, refusals[2]);
  await passes(1000);
  await refused;
  assert.deepEqual(told, refusals.slice(0, 2));
  assert.equal(await patiently(async () => "answer"), "answer");
});
