import assert from "node:assert/strict";
import { test } from "node:test";
import { boot, serve } from "../../site/app/boot.js";

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

/** Files for a Python that answers as it is told. @param {(request: string) => string} answer */
function files(answer) {
  const python = { FS: { writeFile() {} }, runPython() {}, pyimport: () => ({ answer }), setInterruptBuffer: (buffer) => (python.buffer = buffer) };
  const modules = { "pyodide.mjs": { loadPyodide: async () => python }, "pyodide.asm.mjs": {} };
  return { python, from: { load: async (name) => modules[name], file: async () => new Response("") } };
}

/** Wait until a port was told that Python is ready. @param {object[]} heard */
async function ready(heard) {
  while (!heard.some((message) => "ready" in message)) await new Promise((resolve) => setImmediate(resolve));
}

test("a shared worker tells every page how far it is, answers all of them, and ends itself when it breaks", async () => {
  let closed = false;
  let seen;
  const { python, from } = files((request) => {
    seen = python.buffer[0];
    if (request === "break") throw new Error("broken");
    return `answer to ${request}`;
  });
  const port = () => ({ heard: [], postMessage(message) { this.heard.push(message); } }); // biome-ignore format: short
  const [ann, bob] = [port(), port()];
  Object.assign(globalThis, { onconnect: null, close: () => (closed = true) });
  try {
    const tell = serve(from);
    globalThis.onconnect({ ports: [ann] });
    tell({ progress: 0.5 });
    globalThis.onconnect({ ports: [bob] });
    await ready(bob.heard);
    assert.deepEqual(ann.heard.splice(0), [{ progress: 0 }, { progress: 0.5 }, { ready: true }]);
    assert.deepEqual(bob.heard.splice(0), [{ progress: 0.5 }, { ready: true }]);
    ann.onmessage({ data: "this" });
    assert.deepEqual(ann.heard.splice(0), [{ began: true }, { reply: "answer to this" }]);
    assert.equal(seen, 0); // there is time
    assert.deepEqual(bob.heard, []);
    bob.onmessage({ data: "break" });
    assert.deepEqual(ann.heard, [{ stopped: "Error: broken" }]);
    assert.equal(closed, true);
  } finally {
    delete globalThis.onconnect;
    delete globalThis.close;
  }
});

test("what takes too long in a shared worker is interrupted from within", async () => {
  const { now } = performance;
  const { python, from } = files(() => {
    performance.now = () => now.call(performance) + 22_001;
    return String(python.buffer[0]);
  });
  const heard = [];
  const port = { postMessage: (message) => heard.push(message) };
  globalThis.onconnect = null;
  try {
    serve(from);
    globalThis.onconnect({ ports: [port] });
    await ready(heard);
    port.onmessage({ data: "long" });
    assert.deepEqual(heard.at(-1), { reply: "2" });
    performance.now = now;
    assert.equal(python.buffer[0], 0); // the next one begins anew
  } finally {
    performance.now = now;
    delete globalThis.onconnect;
  }
});
