// @ts-check
// The journal of this browser: a row for each game that was played, and the exercises from them. Nobody else has it.

import { get } from "./api.js";
import { addAttempt, merge } from "./schedule.js";
import { dayOf } from "./streak.js";
import { localText } from "./storage.js";

const VERSION = 1;
const MOST_GAMES = 2000;
const MOST_EXERCISES = 200; // they hold their boards, and storage is small
const KEPT = localText("journal");

/**
 * `seen` has the exercises of each game that was looked through, by its table and number.
 * @typedef {{ version: number, games: Api.PlayedGame[], exercises: Api.Exercise[], seen: Record<string, string[]> }} Journal
 */

/** @returns {Journal} */
export function journal() {
  const empty = { version: VERSION, games: [], exercises: [], seen: {} };
  try {
    const found = JSON.parse(KEPT.get() || "{}");
    return found.version === VERSION ? { ...empty, ...found } : empty;
  } catch {
    return empty;
  }
}

/** @param {Journal} changed */
function keep({ version, games, exercises, seen }) {
  const rows = Object.entries(seen).slice(-MOST_GAMES);
  return KEPT.set(JSON.stringify({ version, games: games.slice(-MOST_GAMES), exercises: exercises.slice(-MOST_EXERCISES), seen: Object.fromEntries(rows) }));
}

/** What names an exercise. @param {{ game: string, key: string }} exercise */
export const nameOf = ({ game, key }) => `${game} ${key}`;

/**
 * Add a game that is over, once; returns the names of its exercises.
 * @param {string} table
 * @param {number} number
 * @param {Date} [at] when it was played
 */
export async function addGame(table, number, at = new Date()) {
  const place = `${table}/${number}`;
  const known = journal().seen[place];
  if (known) return known;
  /** @type {Api.Journal} */
  const { games, exercises } = await get(`/api/tables/${table}/games/${number}/journal?day=${dayOf(at)}`);
  const now = journal(); // another page may have written meanwhile
  const names = exercises.map(nameOf);
  if (now.seen[place]) return names;
  const rows = [...now.games, ...games].sort((one, two) => one.day.localeCompare(two.day));
  keep({ ...now, games: rows, exercises: merge(now.exercises, exercises), seen: { ...now.seen, [place]: names } });
  return names;
}

/** Add the games of the first page of the list, wherever they were played. One that is refused is left for another time. */
export async function addOwnGames() {
  /** @type {Api.OwnGames} */
  const { games } = await get("/api/own-games");
  for (const { id, number, status, at } of games) {
    if (status !== "over" || !number || journal().seen[`${id}/${number}`]) continue;
    await addGame(id, number, new Date(at * 1000)).catch(() => {});
  }
}

/**
 * Note an attempt at an exercise.
 * @param {string} name
 * @param {boolean} solved
 * @param {Date} [at]
 */
export function note(name, solved, at = new Date()) {
  const now = journal();
  const exercises = now.exercises.map((each) => (nameOf(each) === name ? addAttempt(each, dayOf(at), solved) : each));
  keep({ ...now, exercises });
}

/** Forget all games and exercises. The games are still in the list, and are not looked through again. */
export function forgetAll() {
  const now = journal();
  keep({ ...now, games: [], exercises: [], seen: Object.fromEntries(Object.keys(now.seen).map((place) => [place, []])) });
}
