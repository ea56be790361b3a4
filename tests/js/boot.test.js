import assert from "node:assert/strict";
import { test } from "node:test";
import { boot } from "../../site/app/boot.js";

test("Python gets its files from whoever starts it, and fetches nothing from elsewhere", async () => {
  const before = globalThis.fetch;
  const asked = [];
  const written = [];
  const answer = (request) => `answer to ${request}`;
  const python = {
    FS: { writeFile: (path, bytes) => written.push([path, bytes.length]) },
    runPython() {},
    pyimport: () => ({ answer }),
  };
  const modules = {
    "pyodide.mjs": {
      async loadPyodide({ indexURL, packageBaseUrl, createPyodideModule }) {
        assert.equal(createPyodideModule, "module");
        for (const base of [indexURL, packageBaseUrl]) await fetch(new URL(`${base}python_stdlib.zip`));
        return python;
      },
    },
    "pyodide.asm.mjs": { default: "module" },
  };
  const file = async (name) => {
    asked.push(name);
    return new Response("four");
  };
  const started = await boot({ load: async (name) => modules[name], file });
  assert.equal(started.answer("this"), "answer to this");
  assert.deepEqual(asked, ["perfectplay.zip", "python_stdlib.zip", "python_stdlib.zip"]);
  assert.deepEqual(written, [["/perfectplay.zip", 4]]);
  assert.equal(globalThis.fetch, before);
});
