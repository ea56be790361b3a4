// @ts-check
// Texts that more than one page uses.

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A text as a sentence: with a capital letter, and a full stop if it has none.
 * @param {string} text
 */
export function sentence(text) {
  return /[.!?…]$/.test(text) ? capital(text) : `${capital(text)}.`;
}

/**
 * Why a cell cannot be chosen; `sign` is what marks the cells that can.
 * @param {Api.Cell} cell
 * @param {Api.View} view
 * @param {string} sign
 */
export function whyNot(cell, view, sign) {
  if (cell.why) return sentence(cell.why);
  const others = view.rows.flat().some((each) => each.action !== null);
  return `You cannot choose ${cell.label} now. Choose ${others ? `a cell with a ${sign}` : "a button"}.`;
}

const LETTERS = { win: "W", loss: "L", tie: "T", endless: "∞" };

/**
 * A value as a few characters that fit into a cell: W3, L4, T1, ∞.
 * @param {Pick<Api.Value, "kind" | "plies">} value
 */
export function shortValue({ kind, plies }) {
  return `${LETTERS[kind]}${kind === "endless" || plies === null ? "" : plies}`;
}

/**
 * A value in words.
 * @param {Pick<Api.Value, "kind" | "plies">} value
 */
export function longValue({ kind, plies }) {
  if (kind === "endless") return "endless play";
  return plies === null ? kind : `${kind} in ${plies}`;
}

/** @type {Record<string, string>} */
const SIGNS = {
  "only move": "!",
  best: "✓",
  "slower win": "?!",
  "slower tie": "?!",
  "quicker loss": "?!",
  "threw away the win": "??",
  "gave up the tie": "??",
  "gave up endless play": "??",
  forfeit: "✗",
};

/**
 * The sign for the mark of a played move.
 * @param {string} mark
 */
export function signOf(mark) {
  return SIGNS[mark] ?? "";
}

/** @param {number} share */
export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/**
 * Whether a host name always means the machine on which it is used.
 * @param {string} hostname
 */
export function isLocal(hostname) {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
