// @ts-check
// Python in a worker, asked one question at a time. Every question has a deadline, and a worker that misses it is replaced.

import { SharedPython, startOwn } from "./pythons.js";

const SECONDS = 20;
const BUSY_SECONDS = 60; // a shared worker may work for other pages first
const START_SECONDS = 120; // a first visit downloads some megabytes; whenever more has arrived, it may take as long again
const FAILED = "Python stopped working in this tab. It is started again for the next question.";

/** What Python or the deadline said: `code` is a word for programs, the message a sentence for people. */
class Problem extends Error {
  /**
   * @param {string} code
   * @param {string} text
   * @param {Record<string, unknown>} [more]
   */
  constructor(code, text, more = {}) {
    super(text);
    this.code = code;
    this.more = more;
  }
}

/** @typedef {{ name: string, params: object, seconds: number, resolve: (answer: any) => void, reject: (error: Problem) => void }} Question */

/** @typedef {Pick<Worker, "addEventListener" | "postMessage" | "terminate"> & { shared?: boolean }} Python */

export class Engine {
  /** @type {Python | null} */
  #worker = null;
  #ready = false;
  /** @type {Question[]} */
  #waiting = [];
  /** @type {Question | null} */
  #asked = null;
  #number = 0;
  #began = false; // whether Python works on the question, not on one of another page
  #tooSlow = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #deadline;

  /** Resolves when Python has started for the first time. @type {Promise<void>} */
  started;
  /** @type {() => void} */
  #onBegin = () => {};
  /** @type {((state: { ready: boolean, share: number, wanted: boolean }) => unknown)[]} */
  #watching = [];
  #share = 0;

  /** @param {() => Python} make starts a worker that follows `serve` in boot.js */
  constructor(make) {
    this.make = make;
    this.started = new Promise((resolve) => {
      this.#onBegin = resolve;
    });
  }

  /** Start Python now, so that the first question need not wait for it. */
  start() {
    if (this.#worker) return;
    const worker = this.make();
    this.#worker = worker;
    this.#expectStart();
    worker.addEventListener("message", ({ data }) => worker === this.#worker && this.#onMessage(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#endWorker("failed", FAILED);
    });
  }

  /**
   * Ask Python. Rejects with a `Problem`.
   * @param {string} name such as tables.make
   * @param {object} [params] passed by name
   * @param {number} [seconds] from when Python begins to work on it
   * @returns {Promise<any>}
   */
  ask(name, params = {}, seconds = SECONDS) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, params, seconds, resolve, reject });
      this.start();
      this.#next();
      this.#tell();
    });
  }

  /**
   * Hear how Python starts: the share of its files that has arrived, and whether a question waits for it.
   * @param {(state: { ready: boolean, share: number, wanted: boolean }) => unknown} changed
   */
  watch(changed) {
    this.#watching.push(changed);
    this.#tell();
  }

  #tell() {
    for (const each of this.#watching) each({ ready: this.#ready, share: this.#share, wanted: this.#waiting.length > 0 });
  }

  #expectStart() {
    this.#expect(START_SECONDS, "Python could not be started in this tab. Check your connection and reload the page.");
  }

  /** End what Python is doing, and everything that waits for it. The next question starts it anew. */
  restart() {
    this.#endWorker("stopped", "This was stopped.");
  }

  #next() {
    if (!this.#ready || this.#asked) return;
    const question = this.#waiting.shift();
    if (!question) return;
    this.#asked = question;
    this.#number += 1;
    const { name, params, seconds } = question;
    this.#tooSlow = `This takes longer than ${seconds} seconds, the most that this tab spends on it. Try a smaller game.`;
    this.#began = !this.#worker?.shared;
    this.#expect(this.#began ? seconds : BUSY_SECONDS, this.#tooSlow);
    this.#worker?.postMessage(JSON.stringify({ id: this.#number, ask: name, with: params }));
  }

  /** @param {{ ready?: boolean, failed?: string, stopped?: string, reply?: string, began?: boolean, progress?: number }} message */
  #onMessage({ ready, failed, stopped, reply, began, progress }) {
    if (stopped !== undefined) return this.#endWorker("failed", FAILED);
    if (began && this.#asked && !this.#began) {
      this.#began = true;
      this.#expect(this.#asked.seconds, this.#tooSlow);
    }
    if (progress !== undefined && !this.#ready && progress > this.#share) {
      this.#share = progress;
      this.#expectStart();
      this.#tell();
    }
    if (failed !== undefined) {
      this.#endWorker("start", "Python could not be loaded. Check your connection and reload the page.");
      return;
    }
    if (ready && !this.#ready) {
      clearTimeout(this.#deadline);
      this.#ready = true;
      this.#onBegin();
      this.#tell();
    }
    if (reply !== undefined) this.#onReply(reply);
    this.#next();
  }

  /**
   * A game file can say anything in the name of its worker, so a reply that was not asked for, or that cannot be read, ends it.
   * @param {string} reply
   */
  #onReply(reply) {
    const { id, answer, problem } = parse(reply) ?? {};
    if (!this.#asked || id !== this.#number) return this.#endWorker("failed", FAILED);
    clearTimeout(this.#deadline);
    const question = this.#asked;
    this.#asked = null;
    if (problem) question.reject(new Problem(problem.error, problem.text, problem));
    else question.resolve(answer);
  }

  /**
   * @param {number} seconds
   * @param {string} text
   */
  #expect(seconds, text) {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#endWorker("slow", text), seconds * 1000);
  }

  /**
   * End the worker. The question that it worked on fails; those that wait, or that a shared worker had not begun with, go to the next
   * worker, unless all were stopped.
   * @param {string} code
   * @param {string} text
   */
  #endWorker(code, text) {
    clearTimeout(this.#deadline);
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = false;
    const all = code === "stopped" || code === "start" || !this.#asked;
    /** @type {Question[]} */
    const failed = [];
    if (this.#asked && !this.#began && !all) this.#waiting.unshift(this.#asked);
    else if (this.#asked) failed.push(this.#asked);
    if (all) failed.push(...this.#waiting.splice(0));
    this.#asked = null;
    for (const { reject } of failed) reject(new Problem(code, text));
    if (this.#waiting.length) this.start();
    this.#tell();
  }
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @type {Engine | null} */
let shared = null;

/** The engine of this page. */
export function engine() {
  let tried = false;
  shared ??= new Engine(() => {
    if (tried) return startOwn(); // whatever it was, it does not happen to the other pages
    tried = true;
    return new SharedPython();
  });
  return shared;
}

/** Python for long work, which keeps nobody waiting. */
export const ownEngine = () => new Engine(startOwn);
