import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { NOWHERE, VERSION, withFiles, withModule } from "../../site/app/pyodide.js";

test("what is patched was written for the version of Pyodide that the site has", async () => {
  const { dependencies } = JSON.parse(await readFile(new URL("../../site/package.json", import.meta.url), "utf-8"));
  assert.equal(dependencies.pyodide, VERSION);
});

test("a patch lasts as long as the work, also when that fails", async () => {
  const { fetch } = globalThis;
  const file = async (name) => new Response(`bytes of ${name}`);
  const text = await withFiles(file, async () => (await globalThis.fetch(`${NOWHERE}a.zip`)).text());
  assert.equal(text, "bytes of a.zip");
  await assert.rejects(withFiles(file, () => Promise.reject(new Error("no"))), /no/);
  assert.equal(globalThis.fetch, fetch);
  const { instantiateStreaming } = WebAssembly;
  const wasm = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  const found = await withModule(wasm, async () => {
    assert.throws(() => globalThis.importScripts(), /not here/);
    return WebAssembly.instantiateStreaming(null, {});
  });
  assert.equal(found.module, wasm);
  assert.equal(globalThis.importScripts, undefined);
  WebAssembly.instantiateStreaming = instantiateStreaming;
});
