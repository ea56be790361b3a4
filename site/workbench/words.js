// @ts-check
// What the workbench says.

import { capital, countWords, moves, sentence } from "../../src/perfectplay/web/static/words.js";

/**
 * @typedef {{ kind: string, line: number | null, text: string }} Trouble
 * @typedef {{ laws: string[], problem: string, grave: boolean, advice: string, where: string, line: number | null, witness: string[] }} Broken
 * @typedef {{ broken: Broken[], leftovers: { name: string, line: number }[] }} Laws
 * @typedef {Laws & {
 *   trusted: boolean, whole: boolean, positions: number | null, moves: number | null, scope: string | null,
 *   result: string, plies: number | null, kind: string | null,
 * }} Verdict
 * @typedef {{ code: string, severity: "problem" | "warning" | "note", text: string, witness: string[], meaning: string }} Finding
 */

/** @type {Record<string, string>} */
const AT_WORK = {
  game: "Reading the file",
  position: "Drawing the board",
  judge: "Checking laws and values",
  laws: "Checking the laws on more positions",
  findings: "Looking for findings",
  steps: "Playing the moves",
  setting: "Sweeping",
  difference: "Looking for a difference",
  changes: "Comparing positions",
  changed_findings: "Comparing findings",
};

/**
 * What is being worked on.
 * @param {string} request
 */
export const atWork = (request) => AT_WORK[request] ?? "Working";

/**
 * What perfect play leads to, as a sentence.
 * @param {Verdict} verdict
 */
export function outlook({ result, plies: length, kind, trusted }) {
  if (!trusted) return "Not known: the result depends on the broken laws.";
  if (result === "undecided") return "Undecided: play can get stuck in a position without a legal move and without a result (see Laws).";
  const after = length === null ? "" : ` in ${moves(length)}`;
  if (kind === null) return "Not known: the game has too many positions to visit.";
  if (kind === "endless") return "With best play the game never ends.";
  if (kind === "tie") return `With best play it is a tie${after}.`;
  return `With best play ${result}${after}.`;
}

/**
 * What the values are based on.
 * @param {Verdict} verdict
 */
export function basis({ whole, positions, moves: edges, scope, trusted }) {
  if (!trusted) return "";
  if (whole) return `All ${countWords(positions ?? 0, "position")} and ${moves(edges ?? 0)} were visited.`;
  return `The game has too many positions to visit all. Visited: the ${scope}.`;
}

/** @type {Record<string, string>} */
const UNKNOWN = {
  laws: "The values of the moves are not known: they depend on the laws that are broken.",
  size: "The values of the moves are not known: the game has too many positions to visit.",
  "dead-end": "The values of the moves are undecided: play can get stuck in a position without a legal move and without a result.",
};

/**
 * Why the values of moves are not shown; empty if there is no reason.
 * @param {string | null} unknown
 */
export const noValues = (unknown) => UNKNOWN[unknown ?? ""] ?? "";

/**
 * An error of a file, with its line.
 * @param {Trouble} trouble
 */
export function troubleWords({ kind, line, text }) {
  const hint = { time: " Is there a loop without an end, or a very large game?", memory: " It may use 512 MB." }[kind] ?? "";
  return `${line === null ? "" : `Line ${line}: `}${capital(text)}${hint}`;
}

/**
 * What is said above broken laws. Beside a law that nothing else relies on, values may stand.
 * @param {Broken[]} broken
 */
export function lawsHeading(broken) {
  const grave = broken.some((each) => each.grave) ? " that everything else relies on" : "";
  return `The game breaks ${broken.length === 1 ? "a law" : "laws"}${grave}:`;
}

/**
 * Where the editor points at broken laws, and what it says there.
 * @param {Broken[]} broken
 */
export const lawMarks = (broken) => broken.flatMap(({ line, problem, advice }) => (line === null ? [] : [{ line, text: `${sentence(problem)} ${advice}`.trim() }]));

/** @type {Record<string, string>} */
const ENDED = {
  stopped: "Stopped.",
  slow: "Stopped: it took too long, and did not stop by itself. Python was restarted.",
  failed: "Python stopped answering and was restarted. Does the file loop without an end, or use a lot of memory?",
};

/**
 * Why a run ended early. An error without a code comes from the page itself: the answer was not what it should be.
 * @param {Error & { code?: string }} error
 */
export function sayWhyEnded({ code, message }) {
  return code ? (ENDED[code] ?? message) : "The answer cannot be shown. Does the file change more than its own game?";
}

/**
 * What a file tried and was not allowed to, from the report of the browser.
 * @param {string} report the directive of the policy, and the address
 */
export function sayWhatBlocked(report) {
  const [directive, address = ""] = report.split(" ", 2);
  if (/^(https?|wss?):/.test(address)) return `This file tried to reach the network (${address.slice(0, 120)}). Game files run without network and storage, so nothing was sent.`;
  if (address === "eval") return "This file tried to run JavaScript from a text (eval). Game files may not do that, so nothing was run.";
  return `This file tried something that game files may not do (${directive.slice(0, 40)}). It was blocked.`;
}

/**
 * A name that is safe as that of a download and in a command: a file says what it is called, and may say anything.
 * @param {unknown} name
 */
export const plainName = (name) => (typeof name === "string" && /^[a-z0-9_]{1,60}\.py$/.test(name) ? name : "game.py");

/**
 * The range in which a slider moves: the bounds of a parameter, or a range around its value.
 * @param {{ value: string, default: string, least: number | null, most: number | null }} parameter
 */
export function sliderRange({ value, default: standard, least, most }) {
  const usual = [Number(value), Number(standard)].filter(Number.isFinite);
  const high = Math.max(...usual, 1);
  const from = least ?? Math.min(0, ...usual);
  return { from, to: Math.max(from, Math.min(most ?? Number.POSITIVE_INFINITY, Math.max(high * 2, high + 6))) };
}
