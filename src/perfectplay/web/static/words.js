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
 * Words as a list: one, two or three.
 * @param {string[]} words
 * @param {"and" | "or"} last
 */
export function joinWords(words, last) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words[words.length - 1]}`;
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
  if (!others) return `You cannot choose ${cell.label} now. Choose a button.`;
  return `No move leads to ${cell.label} from here. Choose a cell with a ${sign}.`;
}

/**
 * An error about a setting, such as "cells=x: must be a number", or about a field, such as "name: must be
 * printable", in sentences; any other text as it is.
 * @param {string} text
 */
export function settingWords(text) {
  const [, name, value, allowed] = /^([a-z_]+)=(.*?): (must be .*)$/.exec(text) ?? [];
  if (name) return `${settingName(name)} ${allowed}. You entered “${value}”.`;
  return text.replace(/^([a-z_]+): (?=must )/, (_, field) => `${settingName(field)} `);
}

/**
 * The name of a setting in words.
 * @param {string} name
 */
export const settingName = (name) => capital(name.replaceAll("_", " "));

/**
 * A move as a player would say it: "7 at the end" instead of "7 E".
 * @param {{ text: string, placed: Api.Placed | null }} move
 */
export const moveWords = ({ text, placed }) => placed?.words ?? text;

/**
 * A move in as few signs as a list has room for: with an arrow to the end of the row at which it adds something.
 * @param {{ text: string, placed: Api.Placed | null }} move
 */
export function listText({ text, placed }) {
  const [added, at] = placed?.words?.split(" at the ") ?? [text];
  if (!placed || at === undefined) return added;
  return placed.cell === 0 ? `← ${added}` : `${added} →`;
}

/**
 * A move for those who hear it: where its marker now stands, and what else it caused.
 * @param {{ text: string, side: 0 | 1, events: string[], placed: Api.Placed | null }} move
 * @param {Pick<Api.Position, "view" | "changed">} after
 */
export function moveWordsInFull(move, { view, changed }) {
  const { text, side, events, placed } = move;
  const cells = view.rows.flat();
  const own = view.sides[side].length ? view.sides[side] : cells.flatMap(({ pieces }) => pieces);
  // What was put on the board stays there, and the text of the move says where.
  const at = placed ? undefined : changed.find((cell) => cells[cell].pieces.some((piece) => own.includes(piece)));
  const also = events.filter((each) => each !== text);
  return [moveWords(move), at !== undefined && `to ${cells[at].label}`, ...also].filter(Boolean).join(", ");
}

/**
 * What a screen reader says about a cell.
 * @param {Api.Cell} cell
 * @param {{ owner: number | null, names: string[], changed?: boolean, legal: boolean, mark?: Page.Mark }} look
 */
export function cellWords(cell, { owner, names, changed, legal, mark }) {
  const by = owner !== null && names[owner] ? ` by ${names[owner]}` : "";
  const goal = cell.owner === 0 || cell.owner === 1 ? `goal of ${names[cell.owner]}` : "goal";
  return [
    `${cell.label}${cell.pieces.length ? `: ${cell.pieces.join(" and ")}${by}` : ", empty"}`,
    cell.role === "goal" && goal,
    cell.role === "later-goal" && "later goal",
    cell.role === "closed" && "closed",
    changed && "last move",
    legal && "legal move",
    mark && `${mark.long}${mark.best ? ", best" : ""}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * A number of things.
 * @param {number} number
 * @param {string} one what one of them is called
 */
export const countWords = (number, one) => `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

/**
 * A number of moves.
 * @param {number} number
 */
export const moves = (number) => countWords(number, "move");

/**
 * What becomes of whoever makes a move, in words.
 * @param {Pick<Api.Value, "kind" | "plies">} value
 */
export function valueWords({ kind, plies }) {
  const verb = { win: "wins", loss: "loses", tie: "ties", endless: "never ends", undecided: "is undecided" }[kind];
  return plies === null ? verb : `${verb} in ${moves(plies)}`;
}

/**
 * A text with moves where it has plies.
 * @param {string} text
 */
export const inMoves = (text) => text.replace(/\bply\b/g, "move").replace(/\bplies\b/g, "moves");

/**
 * A text of the coach in everyday words: moves instead of plies, and no values.
 * @param {string} text
 */
export const plain = (text) => inMoves(text).replace("endless play", "a game without end");

/**
 * A sentence of the coach in everyday words, with the names of the players.
 * @param {string} text
 * @param {string[]} sides the names of the sides
 * @param {string[]} names the names of the players
 */
export function withNames(text, sides, names) {
  // Split first: a player may be called what the other side is called.
  const [one, two] = sides;
  return plain(text)
    .split(one)
    .map((part) => part.replaceAll(two, names[1] || two))
    .join(names[0] || one);
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
  "let the draw by repetition go": "??",
  "lost an undecided game": "??",
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
  return `${Math.round(share * 100)}%`;
}

/**
 * Whether a host name always means the machine on which it is used.
 * @param {string} hostname
 */
export function isLocal(hostname) {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * Who won, in two words: the same as in `core/endings.py`.
 * @param {boolean} finished
 * @param {number | null} winner
 * @param {(winner: number) => string} nameOf
 * @param {number | null} viewer the side or seat of the one who reads it, if any
 */
export function verdict(finished, winner, nameOf, viewer = null) {
  if (winner === null) return finished ? "A tie" : "Unfinished";
  if (viewer === null) return `${nameOf(winner)} won`;
  return winner === viewer ? "You won" : "You lost";
}

/**
 * How one's own game stands or ended, in a few words.
 * @param {Pick<Api.OwnGame, "seat" | "status" | "turn" | "result" | "names">} game
 */
export function resultWords({ seat, status, turn, result, names }) {
  if (status === "open") return "waiting for an opponent";
  if (status === "running") return turn === seat ? "your turn" : `${names[1 - seat]} to move`;
  if (!result) return "nobody came";
  return verdict(result.finished, result.winner_seat, (winner) => names[winner] ?? "", seat).toLowerCase();
}
