// @ts-check
// Inside the sandboxed frame: starts workers from what the page hands in, and carries messages between them and the page.

const MOST_MESSAGES = 2000; // of one worker between two requests; Python sends two a second
const LONGEST = 20_000_000; // characters of a reply; what the page draws has a small part of that

/** @type {Map<number, { worker: Worker, heard: number }>} */
const workers = new Map();
/** @type {Promise<{ address: string, parts: import("./runner.js").Parts }>} */
let prepared;

/** @param {{ runner: string, modules: Record<string, string>, wasm: ArrayBuffer, files: Record<string, ArrayBuffer> }} parts */
async function prepare({ runner, modules, wasm, files }) {
  const address = URL.createObjectURL(new Blob([runner], { type: "text/javascript" }));
  return { address, parts: { modules, files, wasm: await WebAssembly.compile(wasm) } };
}

/**
 * @param {number} id
 * @param {object} message
 */
function tell(id, message) {
  parent.postMessage({ id, ...message }, "*");
}

/** @param {number} id */
async function start(id) {
  const { address, parts } = await prepared;
  const worker = new Worker(address); // in a frame without an origin, a module of a blob does not load
  const running = { worker, heard: 0 };
  workers.set(id, running);
  worker.onmessage = ({ data }) => {
    running.heard += 1;
    const { beat, ready, reply, failed, blocked } = data ?? {};
    // A file may send whatever it likes: only what the page expects gets through.
    if (running.heard > MOST_MESSAGES || reply?.length > LONGEST) end(id, "flood");
    else if (beat === true || ready === true) tell(id, { beat, ready });
    else if (typeof reply === "string") tell(id, { reply });
    else if (typeof failed === "string") tell(id, { failed });
    else if (typeof blocked === "string") tell(id, { blocked: blocked.slice(0, 500) });
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end(id, String(event.message ?? ""));
  };
  worker.postMessage(parts);
}

/**
 * @param {number} id
 * @param {string} [why]
 */
function end(id, why) {
  workers.get(id)?.worker.terminate();
  workers.delete(id);
  if (why !== undefined) tell(id, { ended: why.slice(0, 500) });
}

addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data.parts) prepared = prepare(data.parts);
  else if (data.start) start(data.start).catch((error) => tell(data.start, { failed: String(error) }));
  else if (data.end) end(data.end);
  else {
    const running = workers.get(data.id);
    if (!running) return;
    running.heard = 0;
    running.worker.postMessage({ text: data.text, seconds: data.seconds });
  }
});
parent.postMessage({ loaded: true }, "*");
