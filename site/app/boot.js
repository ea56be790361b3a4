// @ts-check
// Starts Python inside a worker and answers its messages. Where the files come from is the caller's business: this module
// fetches nothing by itself, so it also works in a worker without network, from bytes that were handed in.

const NOWHERE = "https://engine.invalid/"; // where Pyodide looks for its files; nothing is ever fetched from there

/**
 * Start Python with the package on its path. Returns the function that answers a request (see `perfectplay.browser.bridge`).
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
  const { fetch } = globalThis;
  // Pyodide has no option for its files as bytes: it fetches them.
  globalThis.fetch = (input, init) => {
    const address = String(input);
    return address.startsWith(NOWHERE) ? file(address.slice(NOWHERE.length)) : fetch(input, init);
  };
  try {
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
    return { python, answer: python.pyimport("perfectplay.browser.bridge").answer };
  } finally {
    globalThis.fetch = fetch;
  }
}

/**
 * Boot, then answer every message. The first message back is `{ ready: true }`, or `{ failed: "why" }`.
 * @param {Parameters<typeof boot>[0]} from
 */
export async function serve(from) {
  /** @type {any} */
  const worker = globalThis;
  try {
    const { answer } = await boot(from);
    worker.onmessage = (/** @type {MessageEvent<string>} */ { data }) => worker.postMessage({ reply: answer(data) });
    worker.postMessage({ ready: true });
  } catch (error) {
    worker.postMessage({ failed: String(error) });
  }
}
