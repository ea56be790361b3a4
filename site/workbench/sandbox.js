// @ts-check
// Where game files run: workers inside a sandboxed frame without origin, network or storage. For the engine, each is a worker
// like any other; one that says nothing for a while is ended here.

import { Engine } from "../app/engine.js";
import { fetchFile } from "../app/kept.js";
import { limitMemory } from "../app/pyodide.js";

const MEMORY = 512 * 2 ** 20; // the most bytes that Python may use
const SILENCE = 3500; // milliseconds after which a worker that says nothing is ended
const ENGINE = "../engine/";
const MODULES = ["pyodide.mjs", "pyodide.asm.mjs"];
const FILES = ["pyodide-lock.json", "python_stdlib.zip", "perfectplay.zip"];

/**
 * How many seconds Python may spend on each request before it is interrupted.
 * @type {Record<string, number>}
 */
const SECONDS = { game: 3, position: 3, judge: 30, laws: 60, findings: 120, steps: 5, setting: 60, difference: 30, changes: 60, changed_findings: 240 };
const GRACE = 2; // seconds after an interrupt, before the worker is ended

/** @param {string} name */
async function bytes(name) {
  const response = await fetchFile(new URL(ENGINE + name, location.href).href);
  return response.arrayBuffer();
}

/**
 * Everything that a worker needs. The cap on its memory is part of the module.
 * @param {string} runner
 */
async function fetchParts(runner) {
  const [wasm, modules, files] = await Promise.all([
    bytes("pyodide.asm.wasm"),
    Promise.all(MODULES.map(async (name) => [name, new TextDecoder().decode(await bytes(name))])),
    Promise.all(FILES.map(async (name) => [name, await bytes(name)])),
  ]);
  limitMemory(new Uint8Array(wasm), MEMORY);
  return { runner, wasm, modules: Object.fromEntries(modules), files: Object.fromEntries(files) };
}

/** The frame, and the workers in it. */
export class Sandbox {
  #last = 0;
  /** @type {Map<number, FramedWorker>} */
  #workers = new Map();
  /** @type {HTMLIFrameElement} */
  #frame;
  /** @type {Promise<void>} */
  #ready;

  /**
   * @param {string} frame the frame's document
   * @param {string} runner the source of the workers
   * @param {(text: string) => unknown} blocked called with what a file tried and was not allowed to
   */
  constructor(frame, runner, blocked) {
    this.blocked = blocked;
    this.#frame = document.createElement("iframe");
    this.#frame.sandbox.add("allow-scripts");
    this.#frame.title = "Where game files run";
    this.#frame.hidden = true;
    this.#frame.srcdoc = frame;
    const loaded = new Promise((resolve) => {
      addEventListener("message", ({ source, data }) => {
        if (source !== this.#frame.contentWindow) return;
        if (data.loaded) resolve(undefined);
        else this.#workers.get(data.id)?.hear(data);
      });
    });
    document.body.append(this.#frame);
    this.#ready = Promise.all([fetchParts(runner), loaded]).then(([parts]) => this.post({ parts }));
  }

  /** @param {object} message */
  post(message) {
    // The frame has no origin that could be named. It is ours: its document is part of this page.
    this.#frame.contentWindow?.postMessage(message, "*");
  }

  /** A worker. It starts once the frame and its files are there. */
  worker() {
    this.#last += 1;
    const worker = new FramedWorker(this, this.#last, () => this.#workers.delete(worker.id));
    this.#workers.set(worker.id, worker);
    this.#ready.then(
      () => this.post({ start: worker.id }),
      (error) => worker.hear({ failed: String(error) }),
    );
    return worker;
  }
}

/** A worker in the frame, with as much of the interface of a worker as the engine uses. */
export class FramedWorker extends EventTarget {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;
  started = false;
  /** @type {number | undefined} when the last request was sent */
  asked = undefined;

  /**
   * @param {Sandbox} sandbox
   * @param {number} id
   * @param {() => unknown} onEnd
   */
  constructor(sandbox, id, onEnd) {
    super();
    this.sandbox = sandbox;
    this.id = id;
    this.onEnd = onEnd;
  }

  /** @param {string} text a request as the engine writes it */
  postMessage(text) {
    const seconds = SECONDS[JSON.parse(text).ask.split(".")[1]];
    this.asked = performance.now();
    this.sandbox.post({ id: this.id, text, seconds });
    this.#wait();
  }

  terminate() {
    clearTimeout(this.#silence);
    this.sandbox.post({ end: this.id });
    this.onEnd();
  }

  #wait() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.dispatchEvent(new Event("error", { cancelable: true })), SILENCE);
  }

  /** @param {{ beat?: boolean, ready?: boolean, reply?: string, failed?: string, blocked?: string, ended?: string }} message */
  hear({ beat, ready, reply, failed, blocked, ended }) {
    if (beat) this.#wait();
    else if (ready && this.started) return; // a file may say so, and then say nothing
    else if (blocked !== undefined) this.sandbox.blocked(blocked);
    else {
      clearTimeout(this.#silence);
      if (ready) this.started = true;
      // Once Python has started, only a file can say that it failed to.
      if (ended !== undefined || (failed !== undefined && this.started)) this.dispatchEvent(new Event("error", { cancelable: true }));
      else this.dispatchEvent(new MessageEvent("message", { data: { ready, reply, failed } }));
    }
  }
}

const LATE = 2500; // milliseconds after which an answer that nobody needs any more is not waited for

/** Asks a worker of the sandbox about game files, and says what it is at. */
export class Runner {
  #running = 0;
  /** @type {FramedWorker | null} */
  #worker = null;

  /**
   * @param {Sandbox} sandbox
   * @param {(running: string | null) => unknown} onWork called with the request that is being worked on, and null after it
   */
  constructor(sandbox, onWork) {
    this.onWork = onWork;
    this.engine = new Engine(() => {
      this.#worker = sandbox.worker();
      return /** @type {any} */ (this.#worker);
    });
  }

  /** Whether Python has started. */
  get started() {
    return Boolean(this.#worker?.started);
  }

  /** Whether Python has seen a file. */
  get used() {
    return this.#worker?.asked !== undefined;
  }

  /** Whether a request takes long. */
  get late() {
    return this.busy && performance.now() - (this.#worker?.asked ?? Number.POSITIVE_INFINITY) > LATE;
  }

  /** Whether something is being worked on. */
  get busy() {
    return this.#running > 0;
  }

  /**
   * @param {string} name
   * @param {object} params
   * @returns {Promise<any>}
   */
  async ask(name, params) {
    this.#running += 1;
    this.onWork(name);
    try {
      const answer = await this.engine.ask(`workbench.${name}`, params, SECONDS[name] + GRACE);
      // After that, Python has all the memory it may have, and the next request would find none.
      if (answer?.error?.kind === "memory") this.stop();
      return answer;
    } finally {
      this.#running -= 1;
      if (!this.#running) this.onWork(null);
    }
  }

  /** Start Python if it is not there, so that the next request need not wait for it. */
  start() {
    this.engine.start();
  }

  /** End what is being worked on, and Python with it. */
  stop() {
    this.engine.restart();
  }
}
