// @ts-check
// Starts Python inside a worker and answers its messages. Where the files come from is the caller's business: this module
// fetches nothing by itself, so it also works in a worker without network, from bytes that were handed in.

import { NOWHERE, withFiles } from "./pyodide.js";

const MOST_SECONDS = 22; // for a question to a shared worker; the page that asks gives up a little sooner

/**
 * Start Python with the package on its path. Returns the function that answers a request (see `site/python/tab/bridge.py`).
 * @param {{
 *   load: (name: string) => Promise<any>,
 *   file: (name: string) => Promise<Response>,
 *   options?: Record<string, unknown>,
 * }} from `load` imports a module, `file` gets a file as a response, `options` go to `loadPyodide`
 * @returns {Promise<{ python: any, answer: (request: string) => string }>}
 */
export async function boot({ load, file, options = {} }) {
  const games = file("perfectplay.zip").then((response) => response.arrayBuffer());
  const modules = Promise.all([load("pyodide.mjs"), load("pyodide.asm.mjs")]);
  return withFiles(file, async () => {
    const [{ loadPyodide }, { default: createPyodideModule }] = await modules;
    const python = await loadPyodide({
      indexURL: NOWHERE,
      packageBaseUrl: NOWHERE,
      createPyodideModule,
      env: { PYTHONHASHSEED: "0" },
      ...options,
    });
    python.FS.writeFile("/perfectplay.zip", new Uint8Array(await games));
    python.runPython("import sys; sys.path.insert(0, '/perfectplay.zip')");
    return { python, answer: python.pyimport("tab.bridge").answer };
  });
}

/**
 * Boot, and answer every message: of the page that has started this worker or, in a shared one, of all pages. Whoever listens hears
 * `{ progress: SHARE }` while files arrive, then `{ ready: true }` or `{ failed: "why" }`, and `{ stopped: "why" }` if Python breaks.
 * @param {Parameters<typeof boot>[0]} from
 * @returns {(message: object) => void} tells all who listen, now and from now on
 */
export function serve(from) {
  /** @type {any} */
  const worker = globalThis;
  const shared = "onconnect" in worker;
  /** @type {any[]} */
  const listeners = [];
  /** @type {(request: string) => string} */
  let answer;
  /** @type {object} */
  let state = { progress: 0 };
  let due = Number.POSITIVE_INFINITY;
  const interrupts = {
    get 0() {
      return performance.now() < due ? 0 : 2;
    },
    set 0(_) {},
  };
  const tell = (/** @type {object} */ message) => {
    state = message;
    for (const each of listeners) each.postMessage(message);
  };
  const listen = (/** @type {any} */ port) => {
    port.onmessage = (/** @type {MessageEvent<string>} */ { data }) => {
      port.postMessage({ began: true });
      due = performance.now() + MOST_SECONDS * 1000;
      try {
        port.postMessage({ reply: answer(data) });
      } catch (error) {
        tell({ stopped: String(error) });
        if (shared) worker.close(); // the next page starts another
      }
      due = Number.POSITIVE_INFINITY;
    };
    listeners.push(port);
    port.postMessage(state);
  };
  const start = async () => {
    try {
      const started = await boot(from);
      answer = started.answer;
      // No page can end a shared worker: what takes too long is interrupted from within, where Pyodide looks between steps of Python.
      if (shared) started.python.setInterruptBuffer(interrupts);
      tell({ ready: true });
    } catch (error) {
      tell({ failed: String(error) });
      if (shared) worker.close();
    }
  };
  if (shared) worker.onconnect = (/** @type {MessageEvent} */ { ports: [port] }) => listen(port);
  else listen(worker);
  start();
  return tell;
}
