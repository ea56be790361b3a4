// @ts-check
// When an exercise comes back. It is the schedule of perfectplay/coach/exercises.py, over what a page keeps.

import { shiftDay } from "./streak.js";

const INTERVALS = [1, 3, 7, 14, 30, 60, 120]; // days until it comes back, by the number of days on which it was solved
const MOST_ATTEMPTS = 20;

/** @typedef {[string, boolean][]} Attempts days, and whether it was solved */

/** @param {{ attempts: (string | boolean)[][] }} exercise */
const attemptsOf = ({ attempts }) => /** @type {Attempts} */ (attempts);

/**
 * The day from which to try an exercise again: the same day if it was failed last.
 * @param {{ attempts: (string | boolean)[][] }} exercise
 */
export function dueOn(exercise) {
  const attempts = attemptsOf(exercise);
  /** @type {Set<string>} */
  let days = new Set();
  for (const [day, solved] of attempts) days = solved ? days.add(day) : new Set();
  const [last] = attempts[attempts.length - 1];
  return days.size ? shiftDay(last, INTERVALS[Math.min(days.size, INTERVALS.length) - 1]) : last;
}

/**
 * The exercises to try on a day, the one that is due longest first.
 * @template {{ attempts: (string | boolean)[][] }} E
 * @param {E[]} exercises
 * @param {string} today
 */
export const dueExercises = (exercises, today) =>
  exercises.filter((each) => dueOn(each) <= today).sort((one, two) => dueOn(one).localeCompare(dueOn(two)));

/**
 * An exercise after one more attempt.
 * @template {{ attempts: (string | boolean)[][] }} E
 * @param {E} exercise
 * @param {string} day
 * @param {boolean} solved
 * @returns {E}
 */
export const addAttempt = (exercise, day, solved) => ({ ...exercise, attempts: [...exercise.attempts, [day, solved]].slice(-MOST_ATTEMPTS) });

/**
 * All exercises; those that are equal by symmetry are joined: the newest position, and all attempts.
 * @template {{ game: string, key: string, attempts: (string | boolean)[][] }} E
 * @param {E[]} known
 * @param {E[]} added
 * @returns {E[]}
 */
export function merge(known, added) {
  const found = new Map(known.map((each) => [`${each.game} ${each.key}`, each]));
  for (const each of added) {
    const name = `${each.game} ${each.key}`;
    const before = found.get(name)?.attempts ?? [];
    const last = JSON.stringify(before.at(-1) ?? null);
    const attempts = [...before, ...each.attempts.filter((one) => JSON.stringify(one) !== last)].slice(-MOST_ATTEMPTS);
    found.set(name, { ...each, attempts });
  }
  return [...found.values()];
}
