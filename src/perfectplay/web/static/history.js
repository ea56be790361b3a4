// @ts-check
// How somebody is doing, from the rows of a journal. It is the arithmetic of perfectplay/strength/history.py.

const MOST_PERIODS = 30;
const SLIPS = [0.54, 0.48, 0.42, 0.36, 0.3, 0.24, 0.18, 0.12, 0.06, 0]; // of the levels 1 to 10
const FEW = 10; // clusters, below which a standard error is not reliable
const BELOW = "below random";

/**
 * @typedef {Pick<Api.PlayedGame, "game" | "opponent" | "result" | "decisions" | "kept" | "guess" | "slips" | "assisted">} JournalRow
 * @typedef {{ games: number, decisions: number, kept: number, accuracy: number | null }} Period
 * @typedef {{ [ending: string]: number }} Counts
 * @typedef {{
 *   game: string, games: number, results: Record<string, Counts>, assisted: number, total: Period, periods: Period[],
 *   plays_like: (number | string)[] | null,
 * }} History
 */

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/**
 * The history of each game and setting, the one that was played last first.
 * @param {JournalRow[]} rows
 * @returns {History[]}
 */
export function histories(rows) {
  /** @type {Map<string, JournalRow[]>} */
  const found = new Map();
  for (const row of rows) {
    const before = found.get(row.game) ?? [];
    found.delete(row.game);
    found.set(row.game, [...before, row]);
  }
  return [...found].reverse().map(([game, own]) => history(game, own));
}

/**
 * @param {string} game
 * @param {JournalRow[]} rows
 * @returns {History}
 */
function history(game, rows) {
  const opponents = [...new Set(rows.map((row) => row.opponent))].sort((one, two) => one.localeCompare(two, "en", { numeric: true }));
  /** @type {Record<string, Counts>} */
  const results = Object.fromEntries(opponents.map((each) => [each, { won: 0, lost: 0, tied: 0, unfinished: 0 }]));
  for (const row of rows) results[row.opponent][row.result] += 1;
  const alone = rows.filter((row) => !row.assisted);
  const size = Math.ceil(alone.length / MOST_PERIODS) || 1;
  /** @type {Period[]} */
  const periods = [];
  for (let i = 0; i < alone.length; i += size) periods.push(period(alone.slice(i, i + size)));
  return { game, games: rows.length, results, assisted: rows.length - alone.length, total: period(alone), periods, plays_like: playsLike(alone) };
}

/**
 * @param {JournalRow[]} rows
 * @returns {Period}
 */
function period(rows) {
  const [decisions, kept] = [sum(rows.map((row) => row.decisions)), sum(rows.map((row) => row.kept))];
  return { games: rows.length, decisions, kept, accuracy: decisions ? kept / decisions : null };
}

/**
 * A ratio of sums with its standard error; each game is a cluster.
 * @param {[number, number][]} counts
 */
function ratio(counts) {
  const found = counts.filter(([, below]) => below);
  if (!found.length) return null;
  const total = sum(found.map(([, below]) => below));
  const value = sum(found.map(([above]) => above)) / total;
  const number = found.length;
  const squares = sum(found.map(([above, below]) => (above - value * below) ** 2));
  return { value, number, error: number < 2 ? null : Math.sqrt((number / (number - 1)) * squares) / Math.abs(total) };
}

/**
 * @param {number} wins
 * @param {number} games
 * @returns {[number, number]}
 */
function wilson(wins, games) {
  const z = 1.959964;
  const share = wins / games;
  const middle = (share + (z * z) / (2 * games)) / (1 + (z * z) / games);
  const half = (z * Math.sqrt((share * (1 - share)) / games + (z * z) / (4 * games * games))) / (1 + (z * z) / games);
  return [Math.max(0, Math.min(share, middle - half)), Math.min(1, Math.max(share, middle + half))];
}

/** @param {{ value: number, number: number, error: number | null }} found */
function intervalOf({ value, number, error }) {
  if (!error || error <= 1e-12 || number < FEW) return wilson(value * number, number);
  const wider = 1 + 1.21 / (number - 1); // the error is itself estimated
  const trials = (value * (1 - value)) / (error * wider) ** 2;
  return wilson(value * trials, trials);
}

/**
 * The level that somebody plays like, and the ends of its interval; null if too little is known.
 * @param {JournalRow[]} rows
 * @returns {(number | string)[] | null}
 */
function playsLike(rows) {
  const [decisions, guess, slips] = [sum(rows.map((row) => row.decisions)), sum(rows.map((row) => row.guess)), sum(rows.map((row) => row.slips))];
  const found = ratio(rows.map((row) => [row.kept - row.guess, row.decisions - row.guess]));
  const shares = ratio(rows.map((row) => [row.kept, row.decisions]));
  if (!found || !shares || !slips || decisions - guess < 1e-9) return null;
  const share = guess / decisions;
  const correct = (/** @type {number} */ kept) => (kept - share) / (1 - share);
  const scale = SLIPS.map((slip) => correct(1 - (slip * slips) / decisions));
  const [low, high] = intervalOf(shares).map(correct);
  const findNearest = (/** @type {number} */ score) => {
    const off = scale.map((each) => Math.abs(each - Math.max(score, 0)));
    return off.flatMap((each, i) => (each - Math.min(...off) < 1e-9 ? [i + 1] : []));
  };
  const near = [...findNearest(found.value), ...findNearest(high), ...findNearest(low)];
  return [found.value < 0 ? BELOW : near[0], low < 0 ? BELOW : Math.min(...near), high < 0 ? BELOW : Math.max(...near)];
}

/**
 * What somebody plays like, in words.
 * @param {(number | string)[] | null} found
 */
export function levelWords(found) {
  if (!found) return "";
  const [like, low, high] = found;
  if (like === BELOW) return high === BELOW ? BELOW : `${BELOW} (up to level ${high})`;
  return `level ${like} (${low} to ${high})`;
}
