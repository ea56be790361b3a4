// @ts-check
// Exercises from one's own games: find a move that keeps what was given away. They come back, and are kept in this browser alone.

import { Board } from "./board.js";
import { announce, complain, find, h, put, say } from "./dom.js";
import { homeAddress } from "./host.js";
import { addOwnGames, journal, nameOf, note } from "./journal.js";
import { token } from "./pieces.js";
import { dueExercises, dueOn } from "./schedule.js";
import { settingsWords } from "./settings.js";
import { dayOf } from "./streak.js";
import { wordsOf } from "./study_panels.js";
import { stepsWords } from "./table_words.js";
import { trouble } from "./trouble.js";
import { whyNot, withNames } from "./words.js";

const MOST = 30; // exercises in the list
const board = new Board(find("board"), answer, explain, find("controls"));
const today = () => dayOf(new Date()); // a page may stay open over midnight

/** @type {Api.Exercise | null} */
let exercise = null;
/** @type {Api.Answer | null} */
let judged = null;
let shown = false; // whether the answer is

/** @param {Api.Exercise | null} chosen */
function show(chosen) {
  if (chosen !== exercise) board.forget();
  [exercise, judged, shown] = [chosen, null, false];
  complain("");
  draw();
}

/** The exercise in the address; else the one that is due longest. */
function open() {
  const { exercises } = journal();
  const name = decodeURIComponent(location.hash.slice(1));
  show(exercises.find((each) => nameOf(each) === name) ?? dueExercises(exercises, today())[0] ?? null);
}

/** @param {string} text */
function answer(text) {
  const found = exercise?.moves.find((move) => move.text === text);
  if (!exercise || !found || judged) return;
  judged = found;
  note(nameOf(exercise), found.solves);
  draw();
  announce(answerWords().join(" "));
}

function giveUp() {
  if (!exercise) return;
  shown = true;
  judged = exercise.moves.find((move) => move.solves) ?? null;
  note(nameOf(exercise), false);
  draw();
  announce(answerWords().join(" "));
}

/** @param {Api.Cell} cell */
function explain(cell) {
  if (exercise && !judged) complain(whyNot(cell, exercise.board.view, "sign"));
}

/** What there is to say about the answer: what it keeps or gives away, and what the move of the game led to. */
function answerWords() {
  if (!exercise || !judged) return [];
  const { sides, led_to: led, moves, board: { view } } = exercise;
  const solving = moves.filter((move) => move.solves).map((move) => wordsOf(view, move));
  const head = shown ? `${solving.length > 1 ? "These keep it" : "This keeps it"}: ${solving.join(", ")}.` : judged.solves ? "Solved." : "Not this one.";
  const words = judged.solves ? [...judged.words, ...led] : judged.words;
  return [head, ...words.map((line) => withNames(line, sides, sides))];
}

function draw() {
  const { exercises } = journal();
  const due = dueExercises(exercises, today());
  say(find("due"), exercises.length ? `${due.length} due today, ${exercises.length} in all` : "");
  drawList(exercises, due);
  find("board").hidden = find("sides").hidden = find("controls").hidden = !exercise;
  find("main").removeAttribute("aria-busy");
  if (!exercise) return drawNone(exercises);
  const { board: position, owners, sides, title, question, game } = exercise;
  const { side, view } = position;
  say(find("status"), `${title}: ${question}`);
  say(find("aim"), `${view.aims[side]} ${stepsWords(view)}`.trim());
  find("aim").className = `aim side-${side}`;
  say(find("note"), `Settings: ${settingsWords(game)}. ${view.note}`.trim());
  put(find("sides"), sides.map((name, each) => h("li", {}, token(each, view.sides[each][0] ?? ""), h("span", {}, name, each === side && " (you)"))));
  board.show(view, { playable: !judged, changed: position.changed, legal: position.legal, mover: side, lastSide: position.last?.side, owners: [...owners], names: [...sides], label: `Board of ${title}` });
  const [head, ...words] = answerWords();
  put(find("verdict"), head && h("p", { class: judged?.solves && !shown ? "right" : "wrong" }, head), words.map((line) => h("p", {}, line)));
  drawActions(due);
}

/** @param {Api.Exercise[]} due */
function drawActions(due) {
  const next = due.find((each) => exercise && nameOf(each) !== nameOf(exercise));
  const again = h("button", { type: "button", onclick: () => show(exercise) }, "Try again");
  const onward = next && h("button", { type: "button", class: judged?.solves ? "primary" : "", onclick: () => go(next) }, "Next exercise");
  const place = find("actions");
  const held = place.contains(document.activeElement) || document.activeElement === document.body;
  put(place, judged ? [(!judged.solves || shown) && again, onward] : h("button", { type: "button", onclick: giveUp }, "Show the answer"));
  if (judged && held) (place.querySelector("button") ?? find("main")).focus({ preventScroll: true });
}

/** @param {Api.Exercise} next */
function go(next) {
  history.replaceState(null, "", `#${encodeURIComponent(nameOf(next))}`);
  show(next);
  find("board").focus({ preventScroll: true });
}

/** @param {Api.Exercise[]} exercises */
function drawNone(exercises) {
  const next = exercises.map(dueOn).sort()[0];
  say(find("status"), next ? "Nothing is due today." : "No exercises yet.");
  say(find("aim"), next ? `The next one comes back on ${next}.` : "Play a game: every move that gives something away becomes an exercise here.");
  find("aim").className = "aim";
  say(find("note"), "");
  put(find("verdict"));
  put(find("actions"), h("a", { class: "button primary", href: homeAddress() }, "Play a game"));
}

/**
 * @param {Api.Exercise[]} exercises
 * @param {Api.Exercise[]} due
 */
function drawList(exercises, due) {
  const later = exercises.filter((each) => !due.includes(each)).sort((one, two) => dueOn(one).localeCompare(dueOn(two)));
  const rows = [...due, ...later].slice(0, MOST).map((each) => {
    const current = exercise && nameOf(each) === nameOf(exercise);
    const place = h("a", { href: `#${encodeURIComponent(nameOf(each))}`, "aria-current": current ? "true" : null }, h("span", {}, each.title), h("span", { class: "result" }, due.includes(each) ? "due" : dueOn(each)));
    return h("li", {}, place);
  });
  put(find("list"), rows);
}

async function start() {
  open();
  addEventListener("hashchange", open);
  try {
    const before = journal().exercises.length;
    await addOwnGames();
    if (!exercise) open();
    else if (journal().exercises.length !== before) draw();
  } catch (error) {
    trouble(error);
  }
}

start();
