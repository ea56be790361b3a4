// @ts-check
// Where a computer player gives value away: in the position on a study board, and in those where it loses most.

import { post } from "./api.js";
import { find, h, put } from "./dom.js";
import { settingField } from "./settings.js";
import { wordsOf } from "./study_panels.js";
import { capital, countWords, moves as movesWords, sentence, settingWords, valueWords } from "./words.js";

/** The player whose mistakes are shown; empty for none. */
let player = "";
/** The latest question, as text: the answers to others are out of date. */
let asked = "";

/** How many moves that lead to a position are written out. */
const SHOWN = 6;

/** A share with one digit, because few mistakes are frequent. @param {number} share */
const rare = (share) => `${(100 * share).toFixed(1)}%`;

/** What is given away in a position of this value. @param {Api.ErringPosition["kind"]} kind */
const nameLoss = (kind) => ({ win: "the win", tie: "the tie", endless: "the game without end", undecided: "the result", loss: "" })[kind];

/**
 * A position in which a player errs, and how.
 * @param {Api.ErringPosition} position
 * @param {string[]} names those of the sides
 */
export function mistakeWords({ moves, side, kind, chance, likeliest }, names) {
  const last = moves.slice(-SHOWN).join(", ");
  const where = moves.length > SHOWN ? `After ${movesWords(moves.length)}, the last ${last}` : last ? `After ${last}` : "At the start";
  return `${where}: ${names[side]} gives ${nameLoss(kind)} away with a chance of ${rare(chance)}, mostly by ${likeliest}.`;
}

/**
 * Draw the panel for a study board; `open(moves)` shows another position.
 * @param {import("./subjects.js").Solo} board
 * @param {Api.Position} position
 * @param {readonly Pick<Api.Game, "learned">[]} games with the settings for which there is a learned player
 * @param {(moves: string[]) => unknown} open
 */
export async function drawMistakes(board, position, games, open) {
  const place = find("mistakes");
  const players = ["", ...(games.some((game) => game.learned.includes(board.spec)) ? ["learned"] : []), ...[9, 7, 5, 3, 1].map((level) => `level:${level}`), "random"];
  if (!players.includes(player)) player = "";
  const chooser = h(
    "select",
    { id: "mistakes-of" },
    players.map((spec) => h("option", { value: spec, selected: spec === player }, spec.replace(":", " ") || "nobody")),
  );
  chooser.addEventListener("change", () => {
    player = chooser.value;
    drawMistakes(board, position, games, open);
    find("mistakes-of").focus();
  });
  const field = settingField("mistakes of", "a computer player", chooser);
  place.hidden = false;
  const question = { ...board.question(board.ply), player };
  const key = player && JSON.stringify(question);
  // What is known stays until it is known anew.
  if (key === "" || key !== asked) put(place, field, key ? [...place.children].slice(1) : null);
  asked = key;
  if (!key) return;
  try {
    /** @type {Api.Mistakes} */
    const found = await post("/api/mistakes", question);
    if (asked === key) put(place, find("mistakes-of").closest("p"), here(found, position), list(found, board.names, open));
  } catch (error) {
    if (asked === key) put(place, find("mistakes-of").closest("p"), h("p", { class: "quiet" }, sentence(settingWords(error.message))));
    asked = "";
  }
}

/**
 * The moves of the position on the board that lose value.
 * @param {Api.Mistakes} found
 * @param {Api.Position} position
 */
function here({ wrong }, { result, view }) {
  if (result) return null;
  if (!wrong.length) return h("p", { id: "wrong" }, "In this position it gives nothing away.");
  const rows = wrong.map((move) =>
    h("tr", {}, h("th", { scope: "row" }, wordsOf(view, move)), h("td", {}, rare(move.chance)), h("td", {}, capital(valueWords({ ...move, plies: null })))),
  );
  return h("table", { id: "wrong" }, h("caption", {}, "Its mistakes in this position"), h("tbody", {}, rows));
}

/**
 * @param {Api.Mistakes} found
 * @param {string[]} names
 * @param {(moves: string[]) => unknown} open
 */
function list({ positions, decisions, erring, worst }, names, open) {
  const items = worst.map((each) => h("li", {}, h("button", { type: "button", class: "plain jump", onclick: () => open(each.moves) }, mistakeWords(each, names))));
  const searched = `Critical decisions that it may get wrong: ${erring} of ${decisions}, in ${countWords(positions, "position")}.`;
  return [h("p", {}, searched), items.length > 0 && h("ol", { id: "worst", class: "review" }, items)];
}
