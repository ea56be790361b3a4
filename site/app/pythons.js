// @ts-check
// Where Python runs: in a worker that all pages share, so that it starts once, or in one of a page's own.

import { CACHE } from "./kept.js";

const SCRIPT = new URL("./worker.js", import.meta.url);
const SILENCE = 10_000; // milliseconds after which a shared worker that says nothing is given up

let lasts = false;

/** Whether the shared worker goes on when the visitor leaves for another page. Known once it was started. */
export const isLasting = () => lasts;

/** Python of this page alone. */
export const startOwn = () => new Worker(SCRIPT, { type: "module" });

/** Python that the pages share; where the browser refuses that, or it does not answer, one of this page's own. Looks like a worker. */
export class SharedPython extends EventTarget {
  /** The shared worker may work for another page, before it begins with a question. */
  shared = true;
  /** @type {Worker | MessagePort | null} */
  #python = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;

  constructor() {
    super();
    lasts = false;
    const options = {
      type: "module",
      name: CACHE, // pages of another release have another one
      get extendedLifetime() {
        lasts = true; // only a browser that can do it asks
        return true;
      },
    };
    try {
      localStorage.getItem(""); // who may not use it may not share a worker either, and some browsers do not say so
      const worker = new SharedWorker(SCRIPT, /** @type {WorkerOptions} */ (options));
      worker.addEventListener("error", () => this.#python === worker.port && this.#fallBack()); // unless it was given up before
      this.#silence = setTimeout(() => this.#fallBack(), SILENCE);
      this.#python = worker.port;
      worker.port.addEventListener("message", ({ data }) => this.#python === worker.port && this.#onMessage(data));
      worker.port.start();
    } catch {
      this.#fallBack(); // there is no such worker, or it is forbidden in this frame
    }
  }

  /** @param {string} text */
  postMessage(text) {
    this.#python?.postMessage(text);
  }

  /** The other pages keep a shared worker. */
  terminate() {
    clearTimeout(this.#silence);
    if (this.#python instanceof Worker) this.#python.terminate();
    else this.#python?.close();
    this.#python = null;
  }

  /** @param {unknown} data */
  #onMessage(data) {
    clearTimeout(this.#silence);
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  #fallBack() {
    this.terminate();
    lasts = this.shared = false;
    const worker = startOwn();
    this.#python = worker;
    worker.addEventListener("message", ({ data }) => this.#onMessage(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.dispatchEvent(new Event("error"));
    });
  }
}
