import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const SCRIPT = readFileSync(new URL("../../site/app/service-worker.js", import.meta.url), "utf-8");

test("a new release removes the caches of earlier ones, and nothing of another site on the host", async () => {
  const site = "https://example.org/games/";
  const others = ["perfectplay-1 https://example.org/", "perfectplay-1 https://example.org/next/", "something else"];
  const names = new Set([`perfectplay-0 ${site}`, `perfectplay-visited ${site}`, `perfectplay-1 ${site}`, ...others]);
  const handlers = {};
  const self = {
    location: { href: `${site}service-worker.js` },
    clients: { claim: async () => {} },
    addEventListener: (kind, handler) => (handlers[kind] = handler),
  };
  const caches = { keys: async () => [...names], delete: async (name) => names.delete(name) };
  vm.runInNewContext(SCRIPT, { self, caches, URL });
  await new Promise((resolve) => handlers.activate({ waitUntil: (done) => resolve(done) }));
  assert.deepEqual([...names], [`perfectplay-0 ${site}`, `perfectplay-visited ${site}`, ...others]);
});
