// @ts-check
// Python in a worker, asked one question at a time. Every question has a deadline, and a worker that misses it is replaced.

const SECONDS = 20;
const START_SECONDS = 120; // a first visit downloads some megabytes
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

export class Engine {
  /** @type {Worker | null} */
  #worker = null;
  #ready = false;
  /** @type {Question[]} */
  #waiting = [];
  /** @type {Question | null} */
  #asked = null;
  #number = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #deadline;

  /** Resolves when Python has started for the first time. @type {Promise<void>} */
  started;
  /** @type {() => void} */
  #begun = () => {};

  /** @param {() => Worker} make starts a worker that follows `serve` in boot.js */
  constructor(make) {
    this.make = make;
    this.started = new Promise((resolve) => {
      this.#begun = resolve;
    });
  }

  /** Start Python now, so that the first question need not wait for it. */
  start() {
    if (this.#worker) return;
    const worker = this.make();
    this.#worker = worker;
    this.#expect(START_SECONDS, "Python could not be started in this tab. Check your connection and reload the page.");
    worker.addEventListener("message", ({ data }) => worker === this.#worker && this.#heard(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#broken("failed", FAILED);
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
    });
  }

  /** End what Python is doing, and everything that waits for it. The next question starts it anew. */
  restart() {
    this.#broken("stopped", "This was stopped.");
  }

  #next() {
    if (!this.#ready || this.#asked) return;
    const question = this.#waiting.shift();
    if (!question) return;
    this.#asked = question;
    this.#number += 1;
    const { name, params, seconds } = question;
    this.#expect(seconds, `This takes longer than ${seconds} seconds, the most that this tab spends on it. Try a smaller game.`);
    this.#worker?.postMessage(JSON.stringify({ id: this.#number, ask: name, with: params }));
  }

  /** @param {{ ready?: boolean, failed?: string, reply?: string }} message */
  #heard({ ready, failed, reply }) {
    if (failed !== undefined) {
      this.#broken("start", "Python could not be loaded. Check your connection and reload the page.");
      return;
    }
    if (ready && !this.#ready) {
      clearTimeout(this.#deadline);
      this.#ready = true;
      this.#begun();
    }
    if (reply !== undefined) this.#answered(reply);
    this.#next();
  }

  /**
   * A game file can say anything in the name of its worker, so a reply that was not asked for, or that cannot be read, ends it.
   * @param {string} reply
   */
  #answered(reply) {
    const { id, answer, problem } = parsed(reply) ?? {};
    if (!this.#asked || id !== this.#number) return this.#broken("failed", FAILED);
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
    this.#deadline = setTimeout(() => this.#broken("slow", text), seconds * 1000);
  }

  /**
   * End the worker. The question that it worked on fails; those that wait go to the next worker, unless all were stopped.
   * @param {string} code
   * @param {string} text
   */
  #broken(code, text) {
    clearTimeout(this.#deadline);
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = false;
    const all = code === "stopped" || code === "start" || !this.#asked;
    const failed = [...(this.#asked ? [this.#asked] : []), ...(all ? this.#waiting.splice(0) : [])];
    this.#asked = null;
    for (const { reject } of failed) reject(new Problem(code, text));
    if (this.#waiting.length) this.start();
  }
}

/** @param {string} text */
function parsed(text) {
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
  shared ??= new Engine(() => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
  return shared;
}
