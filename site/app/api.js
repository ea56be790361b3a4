// @ts-check
// Answers the requests that the pages would send to a server: from what the browser keeps, and by asking Python.

import { engine, ownEngine } from "./engine.js";
import { foreseeTable } from "./foreseen.js";
import { loadKnown } from "./known.js";
import { Refused } from "./refused.js";
import { tables } from "./tables.js";

export { Refused };

const PAGE = 12; // games in a list

/**
 * Ask Python; a problem becomes what a refused request is.
 * @param {string} name
 * @param {object} [params]
 * @param {number} [seconds] how long Python may think
 * @param {import("./engine.js").Engine} [python]
 * @returns {Promise<any>}
 */
async function askPython(name, params, seconds = 20, python = engine()) {
  try {
    return await python.ask(name, params, seconds);
  } catch (problem) {
    throw new Refused(problem.code === "missing" ? 404 : 409, problem.code ?? "failed", problem.message);
  }
}

/** A name and a seed for a new table. */
function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  const letters = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
  return { table_id: letters, seed: crypto.getRandomValues(new Uint32Array(1))[0] % 1e9 };
}

/**
 * Let Python make a table, and keep it.
 * @param {string} name
 * @param {object} wish
 * @param {ReturnType<typeof fresh>} [given]
 * @returns {Promise<{ table: Api.Table }>}
 */
async function makeTable(name, wish, given = fresh()) {
  const reply = await askPython(name, { ...wish, ...given });
  await tables.put(reply);
  return { table: reply.table };
}

/** Tables that Python has yet to make, as they will look. @type {Map<string, { table: Api.Table, made: Promise<{ table: Api.Table }> }>} */
const coming = new Map();

/**
 * Begin a table. Its page can be shown before Python has made it, wherever it is known what it will look like.
 * @param {{ game: string, opponent: string | null, seat: 0 | 1 | null, name: string, moves: string[] }} wish
 * @returns {Promise<{ id: string, made: Promise<{ table: Api.Table }> }>}
 */
export async function begin(wish) {
  const given = fresh();
  const { table_id: id, seed } = given;
  const seated = { ...wish, seat: wish.seat ?? /** @type {0 | 1} */ (seed % 2) };
  const making = makeTable("tables.make", seated, given);
  making.catch(() => {}); // whoever waits for it is told
  const table = await foreseeTable(id, seated);
  if (!table) await making;
  else coming.set(id, { table, made: making });
  return { id, made: making };
}

/** A table that is kept, once Python has made it. @param {string} id */
async function whenMade(id) {
  await coming.get(id)?.made;
  coming.delete(id);
  return tables.get(id);
}

/** The table that Python has made in the meantime, if the page shows it as it was foreseen. @param {string} id */
export const awaitTable = async (id) => (coming.has(id) ? (await whenMade(id)).table : null);

/**
 * Let something happen at a table, and keep it before anyone is told.
 * @param {string} id
 * @param {Api.NewEvent | null} event null lets the computer move
 * @returns {Promise<Api.EventMessage[]>} messages about what happened
 */
export async function happen(id, event) {
  const { stored } = await whenMade(id);
  const reply = await askPython(event ? "tables.act" : "tables.think", { table: stored, ...event });
  if (!reply) return [];
  await tables.put(reply, stored.events.length);
  return reply.messages;
}

/** Keep the games of a text with records, and return the ids of their tables. @param {string} text */
export async function takeRecords(text) {
  const replies = await askPython("tables.take_records", { text });
  for (const reply of replies) await tables.put(reply);
  return /** @type {string[]} */ (replies.map((/** @type {any} */ reply) => reply.stored.id));
}

/** What the rules of a game do, with proof. It looks at very many positions. @param {string} game */
export function audit(game) {
  auditor ??= ownEngine();
  return askPython("study.audit", { game }, 120, auditor);
}

/** @type {import("./engine.js").Engine | null} */
let auditor = null;

/** @param {string | null} after */
async function ownGames(after) {
  const all = (await tables.all()).flatMap(({ own, at, earlier = [] }) => [{ ...own, at }, ...earlier.map((each) => ({ ...each, status: "over" }))]);
  const from = after === null ? 0 : Number(after);
  const games = all.slice(from, from + PAGE);
  return { games, next: all.length > from + PAGE ? String(from + PAGE) : null };
}

/** @typedef {(found: string[], body: any) => Promise<any>} Handler */

/** @type {[RegExp, Handler][]} */
const GET = [
  [/^\/api\/games$/, async () => (await loadKnown()).games],
  [/^\/api\/games\/([^/]+)\/rules$/, ([name]) => askPython("tables.rules", { name: decodeURIComponent(name) })],
  [/^\/api\/puzzles\/([^/]+)$/, ([date]) => askPython("puzzles.day", { date })],
  [/^\/api\/puzzles\/([^/]+)\/([^/]+)\/answer$/, ([date, game]) => askPython("puzzles.answer", { date, game })],
  [/^\/api\/seats$/, async () => ({ tables: (await tables.all()).map(({ own }) => own) })],
  [/^\/api\/own-games(?:\?after=(\d+))?$/, ([after]) => ownGames(after ?? null)],
  // A page is drawn as it was left, while Python is still starting.
  [/^\/api\/tables\/([^/]+)$/, async ([id]) => coming.get(id)?.table ?? (await tables.get(id)).table],
  [/^\/api\/tables\/([^/]+)\/hint$/, async ([id]) => askPython("study.hint", { table: (await whenMade(id)).stored })],
  [/^\/api\/tables\/([^/]+)\/games\/(\d+)$/, ([id, number]) => about("tables.game", id, number)],
  [/^\/api\/tables\/([^/]+)\/games\/(\d+)\/record$/, ([id, number]) => about("tables.record", id, number)],
  [/^\/api\/tables\/([^/]+)\/games\/(\d+)\/positions\/(\d+)$/, ([id, number, ply]) => about("tables.position", id, number, ply)],
  [/^\/api\/tables\/([^/]+)\/games\/(\d+)\/journal\?day=([0-9-]+)$/, async ([id, number, day]) =>
    askPython("study.journal", { table: (await whenMade(id)).stored, number: Number(number), day })],
  [/^\/api\/tables\/([^/]+)\/games\/(\d+)\/study\/(\d+)$/, ([id, number, ply]) => about("study.played", id, number, ply)],
];

/** @type {[RegExp, Handler][]} */
const POST = [
  [/^\/api\/tables$/, (_, { public: _public, ...wish }) => makeTable("tables.make", wish)],
  [/^\/api\/tables\/([^/]+)\/events$/, async ([id], event) => ({ event: (await happen(id, event))[0].event })],
  [/^\/api\/tables\/([^/]+)\/games\/(\d+)\/play-on$/, async ([id, number], wish) =>
    makeTable("tables.play_on", { table: (await whenMade(id)).stored, number: Number(number), ...wish })],
  [/^\/api\/puzzles\/([^/]+)\/([^/]+)\/attempt$/, ([date, game], { moves }) => askPython("puzzles.attempt", { date, game, moves })],
  [/^\/api\/study$/, (_, body) => askPython("study.board", body)],
  [/^\/api\/mistakes$/, (_, body) => askPython("study.mistakes", body)],
];

/**
 * @param {string} name
 * @param {string} id
 * @param {string} number
 * @param {string} [ply]
 */
async function about(name, id, number, ply) {
  const { stored } = await whenMade(id);
  return askPython(name, { table: stored, number: Number(number), ...(ply === undefined ? {} : { ply: Number(ply) }) });
}

/**
 * @param {[RegExp, Handler][]} handlers
 * @param {string} path
 * @param {unknown} [body]
 */
async function answer(handlers, path, body) {
  for (const [pattern, handler] of handlers) {
    const found = pattern.exec(path);
    if (found) return handler(found.slice(1), body);
  }
  throw new Refused(404, "missing", "There is nothing at this address.");
}

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
export const get = (path) => answer(GET, path);

/**
 * @param {string} path
 * @returns {Promise<string>}
 */
export const getText = (path) => answer(GET, path);

/**
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<any>}
 */
export const post = (path, body) => answer(POST, path, body);
