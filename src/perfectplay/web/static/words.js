// Words that more than one page needs.

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence from a text that may or may not end like one. */
export function sentence(text) {
  return /[.!?…]$/.test(text) ? capital(text) : `${capital(text)}.`;
}

/** Why a cell cannot be chosen while others can; `sign` is what those have. */
export function whyNot(cell, view, sign) {
  if (cell.why) return sentence(cell.why);
  const others = view.rows.flat().some((each) => each.action !== null);
  return `No move leads to ${cell.label} now; ${others ? `cells with a ${sign} can be chosen` : "choose a button"}.`;
}

const LETTERS = { win: "W", loss: "L", tie: "T", endless: "∞" };

/** A value in at most a few characters, as it stands in a cell: W3, L4, T1, ∞. */
export function shortValue({ kind, plies }) {
  return `${LETTERS[kind] ?? "?"}${kind === "endless" || plies === null || plies === undefined ? "" : plies}`;
}

/** A value in words. */
export function longValue({ kind, plies }) {
  if (kind === "endless") return "endless play";
  return plies === null || plies === undefined ? kind : `${kind} in ${plies}`;
}

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

/** The sign for the mark of a played move. */
export function signOf(mark) {
  return SIGNS[mark] ?? "";
}

export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/** Whether a host name leads to the machine itself, wherever it is used. */
export function isLocal(hostname) {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
