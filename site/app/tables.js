// @ts-check
// The tables that this browser keeps, in IndexedDB. Nothing else has them. A browser that keeps nothing for this page, such as in a frame
// on another site, has them until the window is closed.

import { Refused } from "./refused.js";

/**
 * A table as Python needs it (`stored`), as its page shows it (`table`), as lists show it (`own`), when it last changed, and its games before
 * the last one, the newest first.
 * @typedef {{
 *   id: string, stored: { id: string, events: unknown[] }, table: Api.Table, own: Omit<Api.OwnGame, "at">, at: number, earlier?: Api.OwnGame[],
 * }} Kept
 */

const NAME = "perfectplay";
const STORE = "tables";
const MOST_EARLIER = 7; // games of a table before its last one that are listed
const NEWS = "BroadcastChannel" in globalThis ? new BroadcastChannel("perfectplay tables") : null;

/** @type {Promise<IDBDatabase | null> | null} */
let opening = null;
let asked = false; // for storage that stays

const storageError = () => new Refused(0, "storage", "This browser could not keep the game. It may have no room left for this site.");

/** The name of a window stays when it goes to another page, and needs no storage. */
const MARK = "perfectplay tables ";

/** @returns {Map<string, Kept>} */
function recallAll() {
  const { name = "" } = globalThis.window ?? {};
  try {
    return new Map(name.startsWith(MARK) ? JSON.parse(name.slice(MARK.length)) : []);
  } catch {
    return new Map(); // whoever opened the window has named it
  }
}

/** @param {Map<string, Kept>} all */
function rememberAll(all) {
  window.name = MARK + JSON.stringify([...all]);
}

/** The database; null if the browser keeps nothing for this page. @returns {Promise<IDBDatabase | null>} */
function database() {
  opening ??= new Promise((resolve) => {
    /** @type {IDBOpenDBRequest} */
    let request;
    try {
      request = indexedDB.open(NAME, 1);
    } catch {
      return resolve(null); // some browsers refuse at once
    }
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE, { keyPath: "id" }).createIndex("at", "at"));
    request.addEventListener("success", () => {
      request.result.addEventListener("close", again); // such as when someone clears the data of the site
      resolve(request.result);
    });
    request.addEventListener("error", () => resolve(null));
  });
  return opening;
}

function again() {
  opening = null;
}

/**
 * Run a transaction. It has happened on disk when this resolves.
 * @template T
 * @param {IDBDatabase} opened
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore, keep: (found: T) => void, fail: (error: Error) => void) => void} work
 * @returns {Promise<T>}
 */
function transact(opened, mode, work) {
  return new Promise((resolve, reject) => {
    /** @type {T} */
    let found;
    const transaction = opened.transaction(STORE, mode, { durability: "strict" });
    transaction.addEventListener("complete", () => resolve(found));
    transaction.addEventListener("abort", () => reject(transaction.error ? storageError() : failure));
    /** @type {Error} */
    let failure = storageError();
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

/**
 * What may replace a table that was known with so many events; throws if another page was quicker.
 * @param {Kept | undefined} before
 * @param {Omit<Kept, "id" | "at" | "earlier">} made
 * @param {number | undefined} known
 */
function renew(before, { stored, table, own }, known) {
  if (known !== undefined && before?.stored.events.length !== known) throw new Refused(409, "number", "This game continued in another window.");
  const another = before && own.number > before.own.number && before.own.number > 0;
  const earlier = [...(another ? [{ ...before.own, at: before.at }] : []), ...(before?.earlier ?? [])].slice(0, MOST_EARLIER);
  return { id: stored.id, stored, table, own, at: Date.now() / 1000, earlier };
}

export const tables = {
  /** Whether the browser keeps games when this window is closed. */
  async areKept() {
    return (await database()) !== null;
  },

  /**
   * @param {string} id
   * @returns {Promise<Kept>}
   */
  async get(id) {
    const opened = await database();
    /** @type {Kept | undefined} */
    const found = opened
      ? await transact(opened, "readonly", (store, keep) => {
          const request = store.get(id);
          request.addEventListener("success", () => keep(request.result));
        })
      : recallAll().get(id);
    if (!found) throw new Refused(404, "missing", "This game is not in this browser. Games stay in the browser where they are played, unless you share a link.");
    return found;
  },

  /**
   * All tables, the one that changed last first.
   * @returns {Promise<Kept[]>}
   */
  async all() {
    const opened = await database();
    if (!opened) return [...recallAll().values()].sort((one, two) => two.at - one.at);
    /** @type {Kept[]} */
    const found = await transact(opened, "readonly", (store, keep) => {
      const request = store.index("at").getAll();
      request.addEventListener("success", () => keep(request.result));
    });
    return found.reverse();
  },

  /**
   * Keep a table. `known` is the number of events that the change was based on: if another page was quicker, nothing is written.
   * @param {Omit<Kept, "id" | "at" | "earlier">} made
   * @param {number} [known] none for a table that is new
   */
  async put(made, known) {
    const { id } = made.stored;
    const opened = await database();
    if (!opened) {
      const all = recallAll();
      rememberAll(all.set(id, renew(all.get(id), made, known)));
      return;
    }
    await transact(opened, "readwrite", (store, keep, fail) => {
      const request = store.get(id);
      request.addEventListener("success", () => {
        try {
          store.put(renew(request.result, made, known));
          keep(undefined);
        } catch (error) {
          fail(error);
        }
      });
    });
    if (!asked) navigator.storage?.persist?.().catch(() => {}); // or the browser may clear them when it needs room
    asked = true;
    NEWS?.postMessage(id);
  },

  /** @param {string} id */
  async remove(id) {
    const opened = await database();
    if (opened) {
      await transact(opened, "readwrite", (store) => store.delete(id));
    } else {
      const all = recallAll();
      all.delete(id);
      rememberAll(all);
    }
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
