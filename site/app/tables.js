// @ts-check
// The tables that this browser keeps, in IndexedDB. Nothing else has them.

import { Refused } from "./refused.js";

/**
 * A table as Python needs it (`stored`), as its page shows it (`table`), as lists show it (`own`), and when it last changed.
 * @typedef {{ id: string, stored: { id: string, events: unknown[] }, table: Api.Table, own: Omit<Api.OwnGame, "at">, at: number }} Kept
 */

const NAME = "perfectplay";
const STORE = "tables";
const NEWS = "BroadcastChannel" in globalThis ? new BroadcastChannel("perfectplay tables") : null;

/** @type {Promise<IDBDatabase> | null} */
let opening = null;
let asked = false; // for storage that stays

const unkept = () => new Refused(0, "storage", "This browser does not keep data for this page, so games cannot be played here. Private windows may cause this.");

/** @returns {Promise<IDBDatabase>} */
function database() {
  opening ??= new Promise((resolve, reject) => {
    /** @type {IDBOpenDBRequest} */
    let request;
    try {
      request = indexedDB.open(NAME, 1);
    } catch {
      return reject(unkept()); // some browsers refuse at once
    }
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE, { keyPath: "id" }).createIndex("at", "at"));
    request.addEventListener("success", () => {
      request.result.addEventListener("close", again); // such as when someone clears the data of the site
      resolve(request.result);
    });
    request.addEventListener("error", () => reject(unkept()));
  });
  opening.catch(again);
  return opening;
}

function again() {
  opening = null;
}

/**
 * Run a transaction. It has happened on disk when this resolves.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore, keep: (found: T) => void, fail: (error: Error) => void) => void} work
 * @returns {Promise<T>}
 */
async function transact(mode, work) {
  const opened = await database();
  return new Promise((resolve, reject) => {
    /** @type {T} */
    let found;
    const transaction = opened.transaction(STORE, mode, { durability: "strict" });
    transaction.addEventListener("complete", () => resolve(found));
    transaction.addEventListener("abort", () => reject(transaction.error ? unkept() : failure));
    /** @type {Error} */
    let failure = unkept();
    work(
      transaction.objectStore(STORE),
      (result) => {
        found = result;
      },
      (error) => {
        failure = error;
        transaction.abort();
      },
    );
  });
}

export const tables = {
  /**
   * @param {string} id
   * @returns {Promise<Kept>}
   */
  async get(id) {
    /** @type {Kept | undefined} */
    const found = await transact("readonly", (store, keep) => {
      const request = store.get(id);
      request.addEventListener("success", () => keep(request.result));
    });
    if (!found) throw new Refused(404, "missing", "This game is not in this browser. Games stay in the browser where they are played, unless you share a link.");
    return found;
  },

  /**
   * All tables, the one that changed last first.
   * @returns {Promise<Kept[]>}
   */
  async all() {
    /** @type {Kept[]} */
    const found = await transact("readonly", (store, keep) => {
      const request = store.index("at").getAll();
      request.addEventListener("success", () => keep(request.result));
    });
    return found.reverse();
  },

  /**
   * Keep a table. `known` is the number of events that the change was based on: if another page was quicker, nothing is written.
   * @param {Omit<Kept, "id" | "at">} made
   * @param {number} [known] none for a table that is new
   */
  async put({ stored, table, own }, known) {
    await transact("readwrite", (store, keep, fail) => {
      const request = store.get(stored.id);
      request.addEventListener("success", () => {
        /** @type {Kept | undefined} */
        const before = request.result;
        if (known !== undefined && before?.stored.events.length !== known) {
          fail(new Refused(409, "number", "This game has gone on in another window."));
        } else {
          store.put({ id: stored.id, stored, table, own, at: Date.now() / 1000 });
          keep(undefined);
        }
      });
    });
    if (!asked) navigator.storage?.persist?.().catch(() => {}); // or the browser may clear them when it needs room
    asked = true;
    NEWS?.postMessage(stored.id);
  },

  /** @param {string} id */
  async remove(id) {
    await transact("readwrite", (store) => store.delete(id));
    NEWS?.postMessage(id);
  },

  /**
   * Call `changed` when another page changes a table.
   * @param {string} id
   * @param {() => unknown} changed
   */
  watch(id, changed) {
    NEWS?.addEventListener("message", ({ data }) => data === id && changed());
  },
};
