// @ts-check
// The socket of a table. It reconnects by itself, asks for what it missed, and resends what was not confirmed.

import { Refused } from "./api.js";

const FIRST_WAIT = 250;
const LONG_WAIT = 900; // so that a game continues within a second after the server is back
const LONGEST_WAIT = 5000;
const PATIENT_AFTER = 60; // attempts, about a minute
const PING_EVERY = 10_000;
const PONG_WITHIN = 6_000;
const PONG_AT_ONCE = 2_000; // when the user has just returned and is waiting
const OPEN_WITHIN = 5_000;

export class TableSocket {
  /**
   * `after()` returns the number of the last known event. `onMessage(message)` is called with every message, `onState(state)` when
   * the connection changes, and `onFailure()` when reconnecting keeps failing.
   * @param {string} id
   * @param {{
   *   after: () => number,
   *   onMessage: (message: Api.Sent) => unknown,
   *   onState: (state: "connected" | "reconnecting") => unknown,
   *   onFailure: () => unknown,
   * }} table
   */
  constructor(id, { after, onMessage, onState, onFailure }) {
    this.id = id;
    this.after = after;
    this.onMessage = onMessage;
    this.onState = onState;
    this.onFailure = onFailure;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {{ event: Api.AskedEvent, resolve: (event: Api.Event) => void, reject: (error: Refused) => void } | null} */
    this.pending = null;
    this.sent = 0;
    this.failures = 0;
    this.ready = false;
    this.stopped = false;
    this.#connect();
    setInterval(() => this.#ping(), PING_EVERY);
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#hurry());
  }

  /**
   * Send an event, again if necessary and always under the same number, until it is confirmed or refused.
   * @param {Api.NewEvent} event
   * @returns {Promise<Api.Event>}
   */
  send(event) {
    if (this.pending) return Promise.reject(new Refused(0, "pending", "Your last action is still being processed."));
    return new Promise((resolve, reject) => {
      this.sent += 1;
      this.pending = { event: { do: "event", id: this.sent, ...event }, resolve, reject };
      this.#push();
    });
  }

  /** The kind of event that is being sent; empty if there is none. */
  get sending() {
    return this.pending?.event.kind ?? "";
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.#leave();
  }

  #push() {
    if (this.pending && this.ready && this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(this.pending.event));
    }
  }

  #connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/tables/${this.id}/socket?after=${this.after()}`);
    this.socket = socket;
    this.#expect();
    socket.addEventListener("open", () => socket === this.socket && this.#expect());
    socket.addEventListener("message", ({ data }) => socket === this.socket && this.#message(JSON.parse(data)));
    socket.addEventListener("close", () => socket === this.socket && this.#onLoss());
  }

  /** Give up if the connection does not open, or stays silent: the browser may not report that for minutes. */
  #expect() {
    clearTimeout(this.opening);
    this.opening = setTimeout(() => this.#drop(), OPEN_WITHIN);
  }

  /** @param {Api.Sent} message */
  #message(message) {
    clearTimeout(this.silence);
    if (message.type === "pong") {
      this.socket?.send(JSON.stringify({ do: "echo", mark: message.mark })); // at once: the server measures the delay of the network
      return;
    }
    if (message.type === "answer") {
      const { pending } = this;
      if (pending?.event.id !== message.id) return;
      this.pending = null;
      if (message.event) pending.resolve(message.event);
      else pending.reject(new Refused(409, message.error ?? "", message.text ?? ""));
      return;
    }
    this.onMessage(message);
    if (message.type === "ready") {
      clearTimeout(this.opening);
      this.ready = true;
      this.failures = 0;
      this.onState("connected");
      this.#push();
    }
  }

  #onLoss() {
    this.ready = false;
    if (this.stopped) return;
    clearTimeout(this.silence);
    clearTimeout(this.opening);
    clearTimeout(this.timer);
    this.onState("reconnecting");
    const wait = this.failures < PATIENT_AFTER ? Math.min(LONG_WAIT, FIRST_WAIT * 2 ** this.failures) : LONGEST_WAIT;
    this.failures += 1;
    if (this.failures % 8 === 0) this.onFailure();
    this.timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 4));
  }

  #ping(within = PONG_WITHIN) {
    if (!this.ready) return;
    this.socket?.send(JSON.stringify({ do: "ping" }));
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.#drop(), within);
  }

  /** Drop a connection that looks open but does not answer; its close event may take minutes. */
  #drop() {
    this.#leave();
    this.#onLoss();
  }

  #leave() {
    const { socket } = this;
    this.socket = null;
    this.ready = false;
    clearTimeout(this.silence);
    clearTimeout(this.opening);
    socket?.close();
  }

  /** Try at once when the network is back or the page becomes visible: an earlier attempt may never finish. */
  #hurry() {
    if (this.stopped) return;
    if (this.ready) {
      this.#ping(PONG_AT_ONCE);
    } else {
      this.#leave();
      this.#connect();
    }
  }
}
