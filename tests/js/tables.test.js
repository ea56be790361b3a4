import assert from "node:assert/strict";
import { test } from "node:test";

delete globalThis.BroadcastChannel; // it would keep the test waiting
const { tables } = await import("../../site/app/tables.js");

test("a browser that keeps nothing is said to be so, however it refuses", async () => {
  globalThis.indexedDB = {
    open() {
      throw new Error("The operation is insecure.");
    },
  };
  await assert.rejects(tables.get("x"), { code: "storage", message: /^This browser does not keep data/ });

  const request = new EventTarget();
  globalThis.indexedDB.open = () => request;
  const asked = tables.get("x");
  request.dispatchEvent(new Event("error"));
  await assert.rejects(asked, { code: "storage" });
});

test("a database that the browser has closed is opened again", async () => {
  const opened = [];
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
