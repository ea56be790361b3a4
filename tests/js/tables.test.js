import assert from "node:assert/strict";
import { test } from "node:test";

delete globalThis.BroadcastChannel; // it would keep the test waiting
const { tables } = await import("../../site/app/tables.js");

/** @param {string} id */
const made = (id, events = []) => ({ stored: { id, events }, table: { id }, own: { id } });

for (const [how, open] of Object.entries({
  "at once"() {
    throw new Error("The operation is insecure.");
  },
  later() {
    const request = new EventTarget();
    setTimeout(() => request.dispatchEvent(new Event("error")));
    return request;
  },
})) {
  test(`where the browser keeps nothing, and says so ${how}, tables stay as long as the window`, async () => {
    globalThis.window = { name: "named by someone else" };
    globalThis.indexedDB = { open };
    const { tables: first } = await import(`../../site/app/tables.js?${how}`);
    assert.equal(await first.areKept(), false);
    await first.put(made("x"));
    await first.put(made("y"));
    await first.put(made("x", ["a move"]), 0);
    await assert.rejects(first.put(made("x", ["another"]), 0), { code: "number" });
    const { tables: next } = await import(`../../site/app/tables.js?${how} on the next page`);
    assert.deepEqual((await next.get("x")).stored.events, ["a move"]);
    assert.equal((await next.all()).length, 2);
    await next.remove("x");
    await assert.rejects(next.get("x"), { code: "missing" });
    globalThis.window.name = "perfectplay tables {";
    assert.deepEqual(await next.all(), []);
  });
}

test("a database that the browser has closed is opened again", async () => {
  const opened = [];
  globalThis.indexedDB = {};
  globalThis.indexedDB.open = () => {
    const request = Object.assign(new EventTarget(), { result: new EventTarget() });
    request.result.transaction = () => {
      throw new Error(`database ${opened.length}`);
    };
    opened.push(request.result);
    setTimeout(() => request.dispatchEvent(new Event("success")));
    return request;
  };
  await assert.rejects(tables.get("x"), /database 1/);
  await assert.rejects(tables.get("x"), /database 1/);
  opened[0].dispatchEvent(new Event("close"));
  await assert.rejects(tables.get("x"), /database 2/);
});
