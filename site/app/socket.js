// @ts-check
// What the socket of a table is on a server: sends events, and hears what happens. Here Python decides, and the browser keeps it.

import { awaitTable, happen } from "./api.js";
import { Refused } from "./refused.js";
import { tables } from "./tables.js";
import { trouble } from "./trouble.js";

export class TableSocket {
  /**
   * @param {string} id
   * @param {{
   *   after: () => number,
   *   onMessage: (message: Api.Sent) => unknown,
   *   onState: (state: "connected" | "reconnecting") => unknown,
   *   onFailure: () => unknown,
   * }} table
   */
  constructor(id, { onMessage, onState, onFailure }) {
    this.id = id;
    this.onMessage = onMessage;
    this.onState = onState;
    /** @type {Api.NewEvent | null} */
    this.pending = null;
    this.stopped = false;
    tables.watch(id, () => onFailure());
    setTimeout(() => this.#start()); // the page draws itself first
  }

  /**
   * @param {Api.NewEvent} event
   * @returns {Promise<Api.Event>}
   */
  async send(event) {
    if (this.pending) throw new Refused(0, "pending", "Your last action is still being processed.");
    this.pending = event;
    try {
      const messages = await happen(this.id, event);
      this.pending = null;
      this.#tell(messages);
      setTimeout(() => this.#think());
      return messages[0].event;
    } finally {
      this.pending = null;
    }
  }

  /** The kind of event that is being played; empty if there is none. */
  get sending() {
    return this.pending?.kind ?? "";
  }

  stop() {
    this.stopped = true;
  }

  async #start() {
    this.onState("reconnecting");
    try {
      const table = await awaitTable(this.id);
      if (table) this.onMessage({ type: "table", table });
    } catch (error) {
      return trouble(error);
    }
    await this.#think();
    if (!this.stopped) this.onState("connected");
  }

  /** Let the computer move, if it is to move: also when the page was left while it thought. */
  async #think() {
    try {
      this.#tell(await happen(this.id, null));
    } catch (error) {
      if (error.code === "number") return; // another window has shown it
      trouble(error);
    }
  }

  /** @param {Api.EventMessage[]} messages */
  #tell(messages) {
    if (!this.stopped) for (const message of messages) this.onMessage(message);
  }
}
