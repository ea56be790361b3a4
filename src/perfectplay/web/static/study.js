// @ts-check
// The study page: a finished game or a study board, with the exact value of every move.

import { get } from "./api.js";
import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { announce, complain, find, h, put, say } from "./dom.js";
import { NO_GAME, foreseeBoard, here, tableAddress } from "./host.js";
import { MoveList } from "./moves.js";
import { ownersOf } from "./owners.js";
import { patiently } from "./patience.js";
import { drawChoice } from "./study_choice.js";
import { drawHead, linkBoard } from "./study_head.js";
import { drawMistakes } from "./study_mistakes.js";
import { beforeMistake, drawEvaluation, drawReview, drawValues } from "./study_panels.js";
import { judgeMoves, lastWords, markOf, standingWords } from "./study_words.js";
import { Played, Solo, newMove } from "./subjects.js";
import { showMissing, trouble } from "./trouble.js";
import { turningPly } from "./turning.js";
import { sentence, whyNot } from "./words.js";

const { id, number } = here() ?? { id: "", number: "" };
const GAME = /^[1-9][0-9]{0,8}$/; // the number of a game, in an address

/** @type {Api.Game[]} */
let games = [];
/** @type {(spec: string) => void} */
let choose; // shows a spec in the form
/** @type {Played | Solo} */
let subject;
let asked = 0;
/** @type {Map<string, Promise<Api.Study>>} */
const studies = new Map(); // by the whole line of moves and the ply
/** @type {Map<number, Api.Mark> | null} */
let marks = null;
let sent = false;
/** @type {{ subject: Played | Solo, moves: import("./subjects.js").Ply[], ply: number, position: Api.Position } | null} */
let shown = null; // the subject, moves, ply and position on the board

const board = new Board(find("board"), tryMove, explain, find("controls"));
const list = new MoveList(find("moves"), go);
const chart = new Chart(find("chart"), (ply) => go(ply, { spoken: false })); // a slider says its value itself

/**
 * The study of a ply, kept as a promise so that callers share one request.
 * @param {number} ply
 */
function studyAt(ply) {
  const key = `${subject.line} ${ply}`;
  const known = studies.get(key);
  if (known) return known;
  const study = subject.study(ply);
  studies.set(key, study);
  study.catch(() => studies.delete(key));
  return study;
}

/**
 * @param {number} ply
 * @param {{ spoken?: boolean, fresh?: boolean }} [options]
 */
async function go(ply, { spoken = true, fresh = false } = {}) {
  subject.ply = ply;
  asked += 1;
  const request = asked;
  complain("");
  const place = find("main");
  place.setAttribute("aria-busy", "true");
  /** @type {Api.Study | null} */
  let study = null;
  /** @type {Api.Position | null} */
  let position = null;
  try {
    study = await studyAt(ply);
    position = study.position;
  } catch (error) {
    if (request === asked) trouble(error);
    // A move that was tried on the board can be tried again; everything else is asked for again.
    if (error.wait && !(subject.solo && shown)) setTimeout(() => request === asked && go(ply, { spoken, fresh }), 1000 * error.wait);
    // Without the values, the game can still be shown.
    if (!subject.solo) position = await subject.position(ply).catch(() => null);
  }
  if (request !== asked) return;
  place.removeAttribute("aria-busy");
  if (!position) {
    restore();
    return;
  }
  remember(fresh);
  if (subject.solo && study) subject.learn(study);
  draw(study, position);
  if (spoken) announce([lastWords(subject, ply, position), study ? standingWords(study, subject.names) : ""].filter(Boolean).join(" "));
}

/** Go back to what the board still shows, after something else could not be shown. */
function restore() {
  if (!shown) return say(find("status"), "");
  const another = subject !== shown.subject;
  subject = shown.subject;
  [subject.moves, subject.ply, list.shown] = [shown.moves, shown.ply, shown.ply];
  if (another) drawHead(subject, shownState);
}

/**
 * Put what is shown into the address. If it is `fresh`, the browser's Back button undoes it.
 * @param {boolean} fresh
 */
function remember(fresh) {
  if (!subject.solo) history.replaceState(null, "", `#${subject.ply}`);
  else history[fresh ? "pushState" : "replaceState"]({ ply: subject.ply }, "", subject.lineAt(subject.ply));
}

/** @param {string} text */
function tryMove(text) {
  // Ignore a second click until the board shows the first move.
  if (!subject.solo || shown?.ply !== subject.ply || shown.moves !== subject.moves) return;
  const { moves: before, ply } = subject;
  if (before[ply]?.text !== text) subject.moves = [...before.slice(0, ply), newMove(ply + 1, text)];
  go(ply + 1, { fresh: true });
}

/**
 * Say why a cell cannot be chosen, on a study board.
 * @param {Api.Cell} cell
 */
function explain(cell) {
  if (!subject.solo || !shown) return;
  const { result, view } = shown.position;
  complain(result ? "The game is over in this position." : whyNot(cell, view, "value"));
}

/**
 * Start a new study board.
 * @param {string} spec
 */
function setUp(spec) {
  subject = new Solo(games, spec);
  open({ fresh: true }).catch(trouble);
}

/** After the browser's Back or Forward button: show the board in the address. */
function onPopState() {
  const addressed = Solo.fromAddress(games);
  // A link within the page, such as the one to the board, changes nothing.
  if (history.state === null && addressed.line === subject.line) return;
  if (addressed.spec !== subject.spec) choose(addressed.spec);
  subject = addressed;
  open().catch(trouble);
}

/**
 * Show a subject that has not been shown before.
 * @param {{ spoken?: boolean, fresh?: boolean }} [options]
 */
async function open(options) {
  asked += 1; // earlier requests are out of date
  const mistake = location.hash === "#mistake";
  await patiently(() => subject.load(), trouble);
  drawHead(subject, shownState);
  if (subject.solo && !shown) await foresee(subject);
  await go(subject.ply, options);
  if (!mistake) return;
  const end = subject.ply;
  const ply = await patiently(() => studyAt(end)).then(beforeMistake, () => null);
  if (ply !== null && subject.ply === end) await go(ply, options);
}

/** Show a board before it was studied, where it is known how it looks. @param {Solo} board */
async function foresee(board) {
  const known = await foreseeBoard(board);
  if (!known || subject !== board) return;
  board.names = known.names;
  draw(null, known.position);
}

const shownState = () => shown?.position.state ?? "";

// Drawing

/**
 * @param {Api.Study | null} study
 * @param {Api.Position} position
 */
function draw(study, position) {
  shown = { subject, moves: subject.moves, ply: subject.ply, position };
  find("record").hidden = false;
  find("board").hidden = false;
  if (!subject.solo) linkBoard(subject);
  if (study?.marks) marks = new Map(study.marks.map((mark) => [mark.ply, mark]));
  const turn = subject.solo ? null : turningPly([...(marks?.values() ?? [])]);
  const toMove = `${subject.names[position.side] || position.side_name} to move.`;
  say(find("status"), study ? standingWords(study, subject.names) : position.result ? sentence(position.result.text) : toMove);
  say(find("note"), position.result ? "" : position.view.note);
  drawEvaluation(subject.names, position, study?.value);
  board.show(position.view, {
    playable: subject.solo && !position.result,
    idle: !subject.solo,
    marks: study ? new Map(study.moves.map((move) => [move.action, markOf(move)])) : null,
    changed: position.changed,
    legal: position.result ? [] : position.legal,
    mover: position.side,
    lastSide: position.last?.side,
    owners: ownersOf(subject.moves, subject.ply),
    names: subject.names,
    decided: turn !== null && turn === subject.ply,
    label: `Board of ${subject.title}`,
  });
  say(find("last"), lastWords(subject, subject.ply));
  list.show(judgeMoves(subject, marks), subject.ply, subject.moves.length, turn);
  drawValues(study, subject.names, subject.moves[subject.ply]?.text, subject.solo ? "tried" : "played");
  drawActions(study, position);
  chart.show(study?.chart ?? [], subject.names, subject.moves, subject.ply);
  drawReview(study, subject.names, subject.moves.length > 0, go);
  if (subject.solo && study) drawMistakes(subject, position, games, openLine);
}

/**
 * @param {Api.Study | null} study
 * @param {Api.Position} position
 */
function drawActions(study, position) {
  /** @type {HTMLButtonElement[]} */
  const buttons = [];
  // Where studying is not allowed, playing on is not allowed either; and a new table begins at the start.
  if (study && !position.result && !subject.start) {
    const button = h("button", { type: "button", class: "primary" }, "Continue from here against perfect play");
    button.addEventListener("click", () => playOn(button, position.side));
    buttons.push(button);
  }
  if (subject.solo && subject.moves.length) buttons.push(h("button", { type: "button", onclick: clear }, "Clear the board"));
  const place = find("actions");
  const held = place.contains(document.activeElement);
  put(place, buttons);
  if (held) (place.querySelector("button") ?? find("board")).focus({ preventScroll: true });
}

/** Open another position of the same game. @param {string[]} texts */
function openLine(texts) {
  subject = new Solo(games, subject.spec, texts);
  open({ fresh: true }).catch(trouble);
}

function clear() {
  subject.moves = [];
  go(0, { fresh: true });
}

/**
 * @param {HTMLButtonElement} button
 * @param {0 | 1} side
 */
async function playOn(button, side) {
  if (sent) return;
  sent = true;
  button.disabled = true;
  try {
    const { table } = await subject.playOn(subject.ply, side);
    location.assign(tableAddress(table.id));
  } catch (error) {
    trouble(error);
    button.disabled = false;
  }
  sent = false;
}

async function start() {
  try {
    if (here()) {
      if (!GAME.test(number)) return showMissing(...NO_GAME);
      subject = new Played(id, number);
    } else {
      games = await patiently(() => get("/api/games"), trouble);
      subject = Solo.fromAddress(games);
      choose = drawChoice(games, setUp);
      choose(subject.spec);
      addEventListener("popstate", onPopState);
    }
    await open({ spoken: false });
  } catch (error) {
    if (error.status === 404) return showMissing(...NO_GAME);
    say(find("title"), "The game could not be opened");
    say(find("status"), "");
    trouble(error);
  }
}

start();
