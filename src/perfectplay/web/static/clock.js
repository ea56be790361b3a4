// @ts-check
// Clocks. What they show follows from the last message of the server and the time since it came: nothing is counted here.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const URGENT = 10_000;

/**
 * The clocks of a table as the server described them at a moment. All times are milliseconds; `at` is by a clock that never jumps.
 * @typedef {{ left: number[] | null, turn: number | null, ran: number, waited: number, at: number }} ClockReading
 */

/**
 * @param {Api.Table} table
 * @param {number} at when it was received
 * @param {number} ran how long the clock that runs had run by then
 * @returns {ClockReading}
 */
export function reading({ left, waited, status, position }, at, ran) {
  return { left, waited, turn: status === "running" ? position.seat : null, ran, at };
}

/**
 * The milliseconds that a seat has left; null without a clock.
 * @param {ClockReading} reading
 * @param {number} seat
 * @param {number} now
 */
export function timeLeft({ left, turn, ran, at }, seat, now) {
  if (left === null) return null;
  return Math.max(0, left[seat] - (turn === seat ? ran + now - at : 0));
}

/**
 * For how long a seat has done nothing on its own turn; null if it is not its turn.
 * @param {ClockReading} reading
 * @param {number} seat
 * @param {number} now
 */
export function silence({ turn, waited, ran, at }, seat, now) {
  return turn === seat ? waited + ran + now - at : null;
}

/**
 * A time as a clock shows it: tenths of a second when it is urgent, otherwise seconds that have begun.
 * @param {number} left
 */
export function clockText(left) {
  if (left < URGENT) return `0:0${(Math.ceil(left / 100) / 10).toFixed(1)}`.replace("0:010.0", "0:10");
  const seconds = Math.ceil(left / 1000) * 1000;
  const two = (/** @type {number} */ number) => String(Math.floor(number)).padStart(2, "0");
  const rest = two((seconds % MINUTE) / 1000);
  const minutes = (seconds % HOUR) / MINUTE;
  if (seconds < HOUR) return `${Math.floor(minutes)}:${rest}`;
  const days = Math.floor(seconds / DAY);
  return `${days ? `${days} d ` : ""}${Math.floor((seconds % DAY) / HOUR)}:${two(minutes)}:${rest}`;
}

/** @param {number | null} left */
export const isUrgent = (left) => left !== null && left < URGENT;

/**
 * A span of time in words, such as "5 minutes".
 * @param {number} seconds
 */
export function spanWords(seconds) {
  /** @type {[number, string][]} */
  const units = [[86_400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [size, name] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/**
 * The clock of a table in words.
 * @param {Api.Clock} clock
 */
export function controlWords(clock) {
  if (clock.per === "move") return `${spanWords(clock.seconds)} a move`;
  return `${spanWords(clock.seconds)} a game${clock.increment ? ` + ${spanWords(clock.increment)} a move` : ""}`;
}

/** What the form for a new table offers: the texts, and what to ask the server for. @type {[string, Partial<Api.NewTable>][]} */
export const CHOICES = [
  ["none", {}],
  .../** @type {[number, number][]} */ ([[60, 0], [180, 2], [300, 5], [900, 10]]).map(
    ([seconds, increment]) => /** @type {[string, Partial<Api.NewTable>]} */ (choice({ per: "game", seconds, increment })),
  ),
  .../** @type {[string, Partial<Api.NewTable>][]} */ ([10, 30, 86_400].map((seconds) => choice({ per: "move", seconds, increment: 0 }))),
];

/** How long a player may be away or silent at a table without a clock. @type {[string, Partial<Api.NewTable>][]} */
export const LIMITS = [60, 300, 3600, 86_400].map((seconds) => [spanWords(seconds), { away_limit: seconds }]);

/** @param {Api.Clock} clock */
function choice(clock) {
  return [controlWords(clock), { clock }];
}
