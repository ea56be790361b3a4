// @ts-check
// Python in a worker that can reach nothing: it is a blob of a frame without an origin, and everything it needs is handed in.

import { boot } from "../app/boot.js";
import { withModule } from "../app/pyodide.js";

/**
 * What a worker is handed: the sources of modules, a compiled module, and files.
 * @typedef {{ modules: Record<string, string>, wasm: WebAssembly.Module, files: Record<string, ArrayBuffer> }} Parts
 */

const BEAT = 500; // milliseconds between signs of life
const AGAIN = 1000; // milliseconds after which an interrupt that was ignored is repeated

/** @type {any} */
const worker = globalThis;
let due = Number.POSITIVE_INFINITY;
let beat = 0;

/**
 * What Pyodide reads, between any two steps of Python, to see whether it should interrupt: 2 means yes. Reading it also
 * shows that Python is still at work.
 */
const interrupts = {
  get 0() {
    const now = performance.now();
    if (now >= beat) {
      beat = now + BEAT;
      worker.postMessage({ beat: true });
    }
    if (now < due) return 0;
    due = now + AGAIN;
    return 2;
  },
  set 0(_) {},
};

/** @param {string} source */
async function importSource(source) {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** @param {Parts} parts */
async function start({ modules, wasm, files }) {
  const { python, answer } = await withModule(wasm, () =>
    boot({
      load: (name) => importSource(modules[name]),
      file: async (name) => new Response(files[name]),
      options: { stdout: () => {}, stderr: () => {} },
    }),
  );
  python.pyimport("tab.workbench"); // now, so that no request has to wait for it
  python.setInterruptBuffer(interrupts);
  worker.onmessage = (/** @type {MessageEvent<{ text: string, seconds: number }>} */ { data: { text, seconds } }) => {
    due = performance.now() + seconds * 1000;
    const reply = answer(text);
    due = Number.POSITIVE_INFINITY;
    worker.postMessage({ reply });
  };
  worker.addEventListener("securitypolicyviolation", (/** @type {SecurityPolicyViolationEvent} */ { blockedURI, effectiveDirective }) => {
    worker.postMessage({ blocked: `${effectiveDirective} ${blockedURI}` });
  });
  worker.postMessage({ ready: true });
}

worker.onmessage = (/** @type {MessageEvent<Parts>} */ { data }) => {
  start(data).catch((error) => worker.postMessage({ failed: String(error) }));
};
