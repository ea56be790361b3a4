// @ts-check
// Days, the streak and the text to share: what the page of the puzzles works out without a browser.

/**
 * What became of a puzzle: how often it was tried, whether it was solved, and whether the answer was shown.
 * @typedef {{ tries: number, solved: boolean, shown: boolean }} PuzzleResult
 */

const FIRST = "1970-01-01";
const DAY = 24 * 60 * 60 * 1000;

/**
 * The day of a date where the visitor is, such as 2026-01-05.
 * @param {Date} date
 */
export function dayOf(date) {
  return new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())).toISOString().slice(0, 10);
}

/**
 * The day that is `days` days later, or earlier.
 * @param {string} day
 * @param {number} days
 */
export function shiftDay(day, days) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/**
 * Why a text does not name a day with puzzles, in a sentence; empty if it does.
 * @param {string} text
 * @param {string} today
 */
export function notADay(text, today) {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) return `“${text}” is not a date such as 2026-01-05.`;
  if (text > today) return `The puzzles of ${text} are not out yet.`;
  return text < FIRST ? `There are no puzzles before ${FIRST}.` : "";
}

/**
 * The number of days in a row on which a puzzle was solved, up to today. Today need not be one of them yet; a missed day ends the streak.
 * @param {string[]} days the days on which a puzzle of that same day was solved
 * @param {string} today
 */
export function streak(days, today) {
  const kept = new Set(days);
  let day = kept.has(today) ? today : shiftDay(today, -1);
  let length = 0;
  for (; kept.has(day); day = shiftDay(day, -1)) length += 1;
  return length;
}

/**
 * The days of the streak after a puzzle of `day` was solved. Only the day's own puzzles count, and each day counts once.
 * @param {string[]} days
 * @param {string} day
 * @param {string} today
 */
export function addSolved(days, day, today) {
  return day !== today || days.includes(today) ? days : [...days, today];
}

/**
 * The sign of a result, and what it means.
 * @param {PuzzleResult} [result]
 */
export function sign(result) {
  if (result?.solved) return result.tries === 1 ? { sign: "●", words: "solved" } : { sign: "◐", words: `solved, ${result.tries} tries` };
  if (result?.shown) return { sign: "○", words: "answer shown" };
  return { sign: "·", words: result?.tries ? `open, ${result.tries} ${result.tries === 1 ? "try" : "tries"}` : "open" };
}

/**
 * The results of a day, to share with others. It does not give any answer away.
 * @param {{ day: string, results: { title: string, result?: PuzzleResult }[], length: number, link: string }} shared
 */
export function shareText({ day, results, length, link }) {
  const lines = results.map(({ title, result }) => {
    const { sign: mark, words } = sign(result);
    return `${mark} ${title}${words === "solved" ? "" : `: ${words}`}`;
  });
  const days = length > 0 ? [`Streak: ${length} ${length === 1 ? "day" : "days"}`] : [];
  return [`perfectplay puzzles, ${day}`, ...lines, ...days, link].join("\n");
}
